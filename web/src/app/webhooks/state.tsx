// The state of a webhook as a badge.
import { formatMinute } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import type { Webhook } from './webhook.ts';

/** @param props.isException whether a webhook that works has no badge, as in a list. */
export function State(props: { webhook: Webhook; isUntried?: boolean | undefined; isException?: boolean }) {
  const { webhook, isUntried = false, isException = false } = props;
  const { isEnabled, disabledBecause, failingSince, fullSince } = webhook;
  const { states } = words.webhooks;
  if (disabledBecause !== null) return <StatusBadge colour="red">{states[disabledBecause]}</StatusBadge>;
  if (!isEnabled) return <StatusBadge colour="gray">{states.disabled}</StatusBadge>;
  if (fullSince !== null) return <StatusBadge colour="red">{states.fullSince(formatMinute(fullSince))}</StatusBadge>;
  if (isUntried) return <StatusBadge colour="blue">{states.untried}</StatusBadge>;
  if (failingSince === null && isException) return null;
  if (failingSince === null) return <StatusBadge colour="green">{states.enabled}</StatusBadge>;
  return <StatusBadge colour="orange">{states.failingSince(formatMinute(failingSince))}</StatusBadge>;
}
