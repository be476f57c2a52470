// Files of users: what the command line and the pages import, read by the same code. It runs in Node and in browsers.
export type { Entry, Place, Problem, Values } from './entry.ts';
export { type FileFault, FileRefused, openFile } from './file.ts';
export type { Line, Lookups } from './format.ts';
export { formats } from './formats.ts';
export { createLookups } from './lookups.ts';
export type { FormatName } from './names.ts';
export { chunksOf, type Source } from './source.ts';
export { openUserFiles, type UserFiles, type UserFilesFault, type UserRow } from './users.ts';
