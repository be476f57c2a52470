// The test of a provider: what the service has asked it, and what came of that.
import { Group, Stack, Text } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { CircleCheck, CircleX } from 'lucide-react';
import { describeFault } from '../../ui/problem.ts';
import { words } from '../../words/all.ts';

export type Steps = Calls['ExternalProvider/Test']['result']['steps'];

export function TestSteps({ steps }: { steps: Steps }) {
  const { test } = words.externalProviders;
  const isSuccess = steps.every((step) => step.isSuccess);
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>
        {isSuccess ? test.passed : test.failed}
      </Text>
      <Stack component="ul" gap="xs" m={0} p={0} aria-label={test.steps} style={{ listStyle: 'none' }}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </Stack>
    </Stack>
  );
}

function Step({ step: { name, isSuccess, message } }: { step: Steps[number] }) {
  const { test } = words.externalProviders;
  const Icon = isSuccess ? CircleCheck : CircleX;
  const colour = isSuccess ? 'var(--mantine-color-green-text)' : 'var(--mantine-color-error)';
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <Icon
        size={18}
        color={colour}
        style={{ flexShrink: 0 }}
        role="img"
        aria-label={isSuccess ? test.good : test.bad}
      />
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {test.names[name] ?? name}
        {message !== null && (
          <div>
            {describeFault({ message, members: [] }, { ...words.service.faults, ...words.externalProviders.messages })}
          </div>
        )}
      </Text>
    </Group>
  );
}
