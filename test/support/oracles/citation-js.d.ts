/** What the tests use of the packages, which come without types. */
declare module '@citation-js/core' {
  export const plugins: {
    readonly input: {
      chain(text: string, options: { readonly forceType: string; readonly generateGraph: boolean }): unknown[]
    }
  }
}
declare module '@citation-js/plugin-bibtex' {}
declare module '@citation-js/plugin-ris' {}
