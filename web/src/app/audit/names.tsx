// The names of users and front ends in entries, with links to their pages.
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { may, useMe } from '../me.ts';
import type { Person } from './entry.ts';

/** The front ends that are registered now, for readers who may see them. Entries may name others. */
export const useFrontEnds = () =>
  useQuery({
    queryKey: ['audit', 'front-ends'],
    queryFn: () => latchkey.call('FrontEndApp/GetAll'),
    enabled: may(useMe(), 'pages:maintenance'),
  });

/** Returns the name of a front end, or its key if it is no longer registered. */
export function useFrontEndName(appKey: string): string {
  const { data } = useFrontEnds();
  return data?.items.find((one) => one.appKey === appKey)?.name ?? appKey;
}

export const FrontEndName = ({ appKey }: { appKey: string }) => useFrontEndName(appKey);

/** Leads to the page of the user, for readers who may see it. */
export function PersonLink({ person: { id, name } }: { person: Person }) {
  const maySee = may(useMe(), 'Pages.Users') && id !== null;
  if (!maySee) return <Text size="sm">{name}</Text>;
  return (
    <Anchor component={Link} to={`/users/${id}`} size="sm">
      {name}
    </Anchor>
  );
}
