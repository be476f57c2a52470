// The settings of one category, with their effect in words.
import { Box, Divider, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useReadByName } from './context.ts';
import type { Category, Definition } from './definition.ts';
import { describeEffects } from './effects.ts';
import { isMessage } from './messages/message.ts';
import { MessageEditor } from './messages/message-editor.tsx';
import { MessageList } from './messages/message-list.tsx';
import { SettingCard } from './setting-card.tsx';
import { placeOf } from './values.ts';

/**
 * @param props.frontEnd the key of the front end whose values are shown; absent for general settings.
 * @param props.marked the name of the setting to mark and to focus.
 */
export function Section(props: { category: Category; frontEnd: string | undefined; marked: string | undefined }) {
  const { category, frontEnd, marked } = props;
  const section = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const messages = category.definitions.filter(isMessage);
  const message = messages.find(({ name }) => name === marked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the same setting is opened again.
  useEffect(() => {
    if (marked === undefined) return;
    const card = section.current?.querySelector<HTMLElement>(`[data-setting="${CSS.escape(marked)}"]`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'start' });
  }, [marked, key]);
  return (
    <Stack gap="md" component="section" aria-label={category.label} ref={section} miw={0}>
      <Title order={2} size="h3">
        {category.label}
      </Title>
      {message ? (
        <MessageEditor key={message.name} message={message} />
      ) : (
        <>
          {messages.length > 0 && <MessageList messages={messages} />}
          {groupRows(category.definitions.filter((one) => !isMessage(one))).map((group) => (
            <Group key={group[0]?.name} definitions={group} frontEnd={frontEnd} marked={marked} />
          ))}
        </>
      )}
    </Stack>
  );
}

/** Puts settings of one value that follow each other together: they are rows of one card. */
function groupRows(all: readonly Definition[]): Definition[][] {
  const groups: Definition[][] = [];
  for (const definition of all) {
    const last = groups.at(-1);
    if (definition.kind === 'value' && last?.[0]?.kind === 'value') last.push(definition);
    else groups.push([definition]);
  }
  return groups;
}

function Group(props: {
  definitions: readonly Definition[];
  frontEnd: string | undefined;
  marked: string | undefined;
}) {
  const { definitions, frontEnd, marked } = props;
  const names = definitions.map(({ name }) => name);
  const effects = describeEffects(names, useReadByName(frontEnd));
  return (
    <Paper withBorder>
      {effects.length > 0 && (
        <Box px="md" py="sm" bg="var(--mantine-primary-color-light)" className="card-top" data-effects>
          {effects.map((effect) => (
            <Text key={effect} size="sm">
              {effect}
            </Text>
          ))}
        </Box>
      )}
      {definitions.map((definition, index) => (
        <div key={definition.name}>
          {index > 0 && <Divider />}
          <SettingCard
            definition={definition}
            appKey={placeOf(definition, frontEnd)}
            isMarked={definition.name === marked}
          />
        </div>
      ))}
    </Paper>
  );
}
