/* The MARC editor with its names of fields and positions, loaded as one script. */

export { default as MarcPage, NewMarcPage } from './marc/marc-page.tsx'
