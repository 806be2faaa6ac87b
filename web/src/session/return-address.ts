/** The address that issuers redirect to. It is registered with them. */
export const returnPath = '/sign-in'

export const returnAddress = () => location.origin + returnPath
