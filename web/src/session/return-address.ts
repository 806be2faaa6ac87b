import { basePath } from '../base-path.ts'

/** The address that issuers redirect to. It is registered with them. */
export const returnPath = `${basePath}/sign-in`

export const returnAddress = () => location.origin + returnPath
