// What a checked file brings besides accounts: new roles and administrators, which the administrator allows or not.
import { Checkbox, Stack, Title } from '@mantine/core';
import { words } from '../../../words/more.ts';
import type { Consent, RowResult } from './run.ts';

type Props = { results: readonly RowResult[]; consent: Consent; onChange: (consent: Consent) => void };

export function Brought({ results, consent, onChange }: Props) {
  const { brought: texts } = words.users.imports;
  const roles = [...new Set(results.flatMap(({ newRoles }) => newRoles))];
  const administrators = results.flatMap(({ isAdministrator, userName }) => (isAdministrator ? [userName] : []));
  if (roles.length === 0 && administrators.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {texts.title}
      </Title>
      {roles.length > 0 && (
        <Checkbox
          label={texts.newRoles(roles)}
          description={texts.newRolesHint}
          checked={consent.allowNewRoles}
          onChange={(event) => onChange({ ...consent, allowNewRoles: event.currentTarget.checked })}
        />
      )}
      {administrators.length > 0 && (
        <Checkbox
          label={texts.administrators(administrators)}
          description={texts.administratorsHint}
          checked={consent.allowAdministrators}
          onChange={(event) => onChange({ ...consent, allowAdministrators: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
