// A text that leads to the page which lists what it counts, if there is one.
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

export function ListLink({ to, text }: { to: string | undefined; text: string }) {
  if (!to) return text;
  return (
    <Anchor component={Link} to={to} inherit py={3}>
      {text}
    </Anchor>
  );
}
