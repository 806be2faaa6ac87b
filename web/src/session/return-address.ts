/** Where issuers send the browser back to. It is registered with them. */
export const returnPath = '/sign-in'

export const returnAddress = () => location.origin + returnPath
