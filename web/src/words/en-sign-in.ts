// The texts of the sign-in pages in English: a lock, and the links below the form.

/** The refusal of an attempt while a lock lasts. */
export const locked = {
  title: 'Locked for now',
  reason: 'There were too many failed attempts. The lock ends by itself. You can also reset your password.',
  over: 'You can try again now.',
};

/** The links below the form. */
export const legal = { label: 'Legal and help', terms: 'Terms', privacy: 'Privacy', support: 'Support' };
