const thisFile = import.meta.url

/**
 * The path that the service is reached under, such as `/catalogue`; empty at the root of a host.
 * Every file of the built page is in the folder `assets` below it.
 */
export const basePath = new URL('..', thisFile).pathname.replace(/\/$/, '')
