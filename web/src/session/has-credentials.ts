/** The name under which the token is stored. */
export const tokenName = 'libretto-token'

/** Whether this browser has a token, of this tab or of the device. */
export function hasCredentials(): boolean {
  try {
    return (sessionStorage.getItem(tokenName) ?? localStorage.getItem(tokenName)) !== null
  } catch {
    // A browser that stores nothing for this site.
    return false
  }
}
