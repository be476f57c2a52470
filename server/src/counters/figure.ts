// Figures: what the service counts by hour. Each has a short list of parts, so that the number of rows is bounded.
import { type Instant, toInstant } from '../foundation/clock.ts';

/** The figures that the service counts. */
export const FIGURES = [
  'signIn',
  'application',
  'refusal',
  'lockout',
  'registration',
  'messageSent',
  'messageFailed',
] as const;
export type Figure = (typeof FIGURES)[number];

/**
 * How often one part of a figure occurred. The part is a word of the program, or the name that an administrator gave an application,
 * and never what an unproven caller has sent.
 */
export type Count = { readonly figure: Figure; readonly part: string; readonly count: number };

/** A count of one hour, named by its start. */
export type HourlyCount = Count & { readonly hour: Instant };

export const HOUR_MS = 3_600_000;

/** Returns the start of the hour, in UTC. */
export const startOfHour = (at: Instant): Instant => toInstant(at - (at % HOUR_MS));
