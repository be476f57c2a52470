// The texts of the pages in English. Other languages have the same members.
import { administration } from './en-administration.ts';
import { first } from './en-first.ts';
import { more } from './en-more.ts';

export const en = { ...first, ...more, ...administration };

export type Words = typeof en;
