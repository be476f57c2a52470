// The dialog to replace the client secret of an application. It asks how long the former one stays valid.
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { RotateDialog } from '../../ui/rotate-dialog.tsx';
import { words } from '../../words/all.ts';
import type { Application } from './application.ts';

/** For how long the former secret may stay valid, in seconds. */
const OVERLAPS = [0, 3600, 86_400, 604_800] as const;

export function RotateSecret({ application, onClose }: { application: Application; onClose: () => void }) {
  const { rotation, created } = words.applications;
  const { id, name } = application;
  const [overlapSeconds, setOverlap] = useState<number>(OVERLAPS[2]);
  return (
    <RotateDialog
      texts={{ ...rotation, title: rotation.title(name), shown: created }}
      rotate={async () => (await latchkey.call('Application/RotateSecret', { id, overlapSeconds })).clientSecret}
      onClose={onClose}
    >
      <NativeSelect
        label={rotation.overlap}
        data={OVERLAPS.map((seconds) => ({ value: String(seconds), label: rotation.overlaps[seconds] }))}
        value={String(overlapSeconds)}
        onChange={(event) => setOverlap(Number(event.currentTarget.value))}
        data-autofocus
      />
    </RotateDialog>
  );
}
