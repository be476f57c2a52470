// The settings of one category, and the drafts of their values.
import { Stack, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { type Category, DEFAULT_FRONT_END, type Draft } from './definition.ts';
import { SettingCard } from './setting-card.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { valueQuery } from './use-setting.ts';

/** @param props.appKey the front end whose values are shown. */
export function CategoryView({ category, appKey }: { category: Category; appKey: string | undefined }) {
  const { name, definitions } = category;
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft | undefined>>>({});
  const values = useQueries({ queries: definitions.map((one) => valueQuery(one.name, appKey)) });
  const hasStandard = appKey !== undefined && appKey !== DEFAULT_FRONT_END;
  const compared = hasStandard ? definitions : [];
  const standards = useQueries({ queries: compared.map((one) => valueQuery(one.name, DEFAULT_FRONT_END)) });
  const failed = values.find(({ isLoadingError }) => isLoadingError);
  const retry = () => values.filter(({ isLoadingError }) => isLoadingError).forEach(({ refetch }) => void refetch());
  const isPending = values.some(({ isPending: one }) => one);
  return (
    <Stack gap="md" component="section" aria-label={name}>
      <Title order={2} size="h3">
        {name}
      </Title>
      {failed && <LoadFailure error={failed.error} retry={retry} />}
      {!failed && isPending && <Loading rows={6} />}
      {!failed &&
        !isPending &&
        definitions.map((definition, index) => (
          <SettingCard
            key={definition.name}
            definition={definition}
            appKey={appKey}
            value={values[index]?.data}
            standard={standards[index]?.data}
            draft={drafts[definition.name]}
            onDraft={(draft) => setDrafts((all) => ({ ...all, [definition.name]: draft }))}
          />
        ))}
      <UnsavedGuard isDirty={Object.values(drafts).some((draft) => draft !== undefined)} />
    </Stack>
  );
}
