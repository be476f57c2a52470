// My name and addresses, and whether the addresses are verified.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { meansQuery } from '../../api/means.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import { useMe } from '../me.ts';
import { AddressDialog, type WantedAddress } from './address-dialog.tsx';

/** What the service does not send, or has not answered yet, is not offered. */
export function AddressSection() {
  const me = useMe();
  const { data: means } = useQuery(meansQuery);
  const { profile } = words.account;
  const [wanted, setWanted] = useState<WantedAddress>({ member: 'emailAddress', value: '' });
  const [isOpen, setOpen] = useState(false);
  const open = (next: WantedAddress) => {
    setWanted(next);
    setOpen(true);
  };
  const addresses = [
    { member: 'emailAddress', value: me.email, isVerified: me.isEmailConfirmed, canVerify: means?.email === true },
    {
      member: 'mobileNumber',
      value: me.mobileNumber,
      isVerified: me.isMobileConfirmed,
      canVerify: means?.sms === true,
    },
  ] as const;
  return (
    <Stack gap="sm">
      <Fact label={profile.name}>{me.fullName}</Fact>
      <Fact label={profile.userName}>{me.userName}</Fact>
      {me.roles.length > 0 && <Fact label={profile.roles}>{me.roles.join(', ')}</Fact>}
      {addresses.map(({ member, value, isVerified, canVerify }) => (
        <Group key={member} justify="space-between" gap="xs">
          <Group gap="xs" maw="100%">
            <Fact label={profile[member]}>{value ?? profile.none}</Fact>
            {value !== null && (
              <StatusBadge colour={isVerified ? 'green' : 'orange'}>
                {isVerified ? profile.verified : profile.unverified}
              </StatusBadge>
            )}
          </Group>
          {canVerify && (
            <Group gap="xs">
              {value !== null && !isVerified && (
                <Button size="xs" variant="default" onClick={() => open({ member, value })}>
                  {profile.verify[member]}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => open({ member, value: '' })}>
                {value === null ? profile.add[member] : profile.change[member]}
              </Button>
            </Group>
          )}
        </Group>
      ))}
      {addresses.some(({ value, isVerified, canVerify }) => value !== null && !isVerified && canVerify) && (
        <Text size="sm" c="dimmed">
          {profile.unverifiedHint}
        </Text>
      )}
      <AddressDialog wanted={wanted} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text style={{ overflowWrap: 'anywhere' }}>{children}</Text>
    </div>
  );
}
