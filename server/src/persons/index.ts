// Persons: everything that is stored about the owner of an account, to hand out and to erase.
export { personalData } from './personal-data.ts';
export { personsSlice } from './slice.ts';
