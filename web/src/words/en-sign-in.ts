// The texts of a locked sign-in in English.

/** The refusal of an attempt while a lock lasts. */
export const locked = {
  title: 'Locked for now',
  reason: 'There were too many failed attempts. The lock ends by itself. You can also reset your password.',
  over: 'You can try again now.',
};
