/** The types of the packages that the tests use; the packages have none. */
declare module '@citation-js/core' {
  export const plugins: {
    readonly input: {
      chain(text: string, options: { readonly forceType: string; readonly generateGraph: boolean }): unknown[]
    }
  }
}
declare module '@citation-js/plugin-bibtex' {}
declare module '@citation-js/plugin-ris' {}
