// The state of a registered provider as badges.
import { Group } from '@mantine/core';
import { describeDay } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import type { Provider } from './provider.ts';

/** The service warns so long before a secret expires, in milliseconds. */
const WARNED = 30 * 24 * 60 * 60 * 1000;

/** @param props.isException whether a provider that works has no badge, as in a list. */
export function State({ provider, isException = false }: { provider: Provider; isException?: boolean }) {
  const { isEnabled, isReplacedByCode, secretExpiresAt } = provider;
  const { states } = words.externalProviders;
  const left = secretExpiresAt === null ? Infinity : Date.parse(secretExpiresAt) - Date.now();
  return (
    <Group gap="xs">
      {isReplacedByCode && <StatusBadge colour="orange">{states.replaced}</StatusBadge>}
      {!isReplacedByCode && !isEnabled && <StatusBadge colour="gray">{states.disabled}</StatusBadge>}
      {!isReplacedByCode && isEnabled && !isException && <StatusBadge colour="green">{states.enabled}</StatusBadge>}
      {secretExpiresAt !== null && left <= WARNED && (
        <StatusBadge colour={left > 0 ? 'orange' : 'red'}>
          {(left > 0 ? states.expires : states.expired)(describeDay(secretExpiresAt))}
        </StatusBadge>
      )}
    </Group>
  );
}
