// The initials of an account in a square, beside its name.
import { Avatar } from '@mantine/core';
import type { User } from './user.ts';

/** Returns the first characters of the names, or of the user name. Emoji and accents stay whole. */
function initialsOf({ name, surname, userName }: Pick<User, 'name' | 'surname' | 'userName'>): string {
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const first = (text: string) => [...characters.segment(text.trim())][0]?.segment ?? '';
  return (first(name) + first(surname) || first(userName)).toLocaleUpperCase();
}

/** @param props.size in pixels. */
export const Initials = ({ user, size = 28 }: { user: Parameters<typeof initialsOf>[0]; size?: number }) => (
  <Avatar size={size} color="brand" aria-hidden fw={600}>
    {initialsOf(user)}
  </Avatar>
);
