// One setting: its form, its last change, and the buttons to restore values.
import { Box, Flex, Group, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import { holdsAll, useMe } from '../me.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { NARROW } from './contents.tsx';
import { useReadByName, useSettings } from './context.ts';
import { DEFAULT_FRONT_END, type Definition } from './definition.ts';
import { SettingActions } from './setting-actions.tsx';
import { SettingFields } from './setting-fields.tsx';

/** @param props.appKey the front end whose value is meant; absent for a general setting. */
export function SettingCard(props: {
  definition: Definition;
  appKey: string | undefined;
  /** Whether the address names this setting. */
  isMarked: boolean;
}) {
  const { definition, appKey, isMarked } = props;
  const { label, kind } = definition;
  const { values, edits } = useSettings();
  const readByName = useReadByName(appKey);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const me = useMe();
  const isFixed = definition.isGuarded && !holdsAll(me);
  const edit = edits.find(definition, appKey);
  const saved = values.read(definition, appKey);
  const hasStandard = appKey !== undefined && appKey !== DEFAULT_FRONT_END;
  const change = (next: unknown) =>
    edits.put(definition, appKey, { base: edit ? edit.draft.base : saved, value: next });
  const mark = { outline: '2px solid var(--mantine-primary-color-filled)', borderRadius: 'var(--mantine-radius-md)' };
  const fields = (
    <>
      <Form label={label} onSubmit={() => void (edit && edits.save([edit]))} problem={edit?.problem}>
        {isFixed && (
          <Text size="sm" c="dimmed" mb="sm">
            {words.settings.guarded}
          </Text>
        )}
        <fieldset disabled={isFixed} style={{ display: 'contents' }}>
          <SettingFields
            definition={definition}
            value={edit ? edit.draft.value : saved}
            standard={hasStandard ? values.read(definition, DEFAULT_FRONT_END) : undefined}
            onChange={change}
            problems={edit?.problem?.fields ?? {}}
            readByName={readByName}
          />
        </fieldset>
        {/* Enter in a field submits a form only if the form has a button for it. */}
        <button type="submit" hidden />
        {edit?.theirs && (
          <ConflictNotice
            definition={definition}
            draft={edit.draft}
            theirs={edit.theirs}
            onTake={() => edits.discard([edit])}
            onOverwrite={(draft) => void edits.save([{ ...edit, draft }])}
            isBusy={edits.isBusy}
          />
        )}
      </Form>
      <LastChange definition={definition} appKey={appKey} />
    </>
  );
  const actions = (
    <SettingActions
      definition={definition}
      appKey={appKey}
      value={saved}
      isDirty={edit !== undefined}
      isFixed={isFixed}
    />
  );
  return (
    <Box
      tabIndex={-1}
      p={isNarrow ? 'sm' : 'md'}
      style={isMarked ? mark : { outline: 'none' }}
      data-setting={definition.name}
      {...(isMarked && { 'data-marked': true })}
    >
      {kind === 'compound' ? (
        <>
          <Group align="flex-start" wrap={isNarrow ? 'wrap' : 'nowrap'} gap="xs">
            <Title order={3} size="h5" miw={0} style={{ overflowWrap: 'anywhere' }}>
              {label}
            </Title>
            {actions}
          </Group>
          <Text size="sm" c="dimmed" mb="md">
            {definition.description}
          </Text>
          {fields}
        </>
      ) : (
        <Flex direction={isNarrow ? 'column' : 'row'} justify="space-between" gap="xs">
          <Box flex={1} miw={0}>
            {fields}
          </Box>
          {actions}
        </Flex>
      )}
    </Box>
  );
}

/** Who has changed the value, and when. */
function LastChange({ definition, appKey }: { definition: Definition; appKey: string | undefined }) {
  const { values } = useSettings();
  const override = values.find(definition.name, appKey);
  if (!override) return null;
  return (
    <Group gap={6} mt="sm">
      {values.isChanged(definition, appKey) && <StatusBadge colour="blue">{words.settings.changed}</StatusBadge>}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {words.settings.history.last(override.by)}
      </Text>
      <Moment at={override.at} />
    </Group>
  );
}
