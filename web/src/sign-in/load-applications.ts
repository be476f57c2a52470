// Loads the pages of signing in to applications. They are one file, and named in one place: the first page stays small.
export const loadApplications = () => import('./applications.ts');
