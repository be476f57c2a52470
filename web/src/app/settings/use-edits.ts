// The changes that are not saved yet, of all settings and front ends, and how they are saved.
import { isLatchkeyError } from 'latchkey-sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNotify } from '../../ui/notify.tsx';
import { describeProblem, type Problem, Refusal, requireFields } from '../../ui/problem.ts';
import { words } from '../../words/all.ts';
import { type Definition, type Draft, isSame, rebase } from './definition.ts';
import { findInputProblems } from './input.ts';
import { type Theirs, useChanges } from './use-setting.ts';
import { keyOf } from './values.ts';

export type Edit = {
  readonly definition: Definition;
  /** The front end whose value is meant. Absent for a general setting. */
  readonly appKey: string | undefined;
  readonly draft: Draft;
  readonly problem?: Problem | undefined;
  /** What another administrator has saved meanwhile. */
  readonly theirs?: Theirs | undefined;
};

export type Edits = {
  readonly all: readonly Edit[];
  readonly find: (definition: Definition, appKey: string | undefined) => Edit | undefined;
  /** Keeps the draft, or with a value that is its base forgets it. */
  readonly put: (definition: Definition, appKey: string | undefined, draft: Draft) => void;
  /** @param isDone whether the reader is done with the change, if it is one. Default: yes. */
  readonly discard: (edits: readonly Edit[], isDone?: boolean) => void;
  /** Saves these changes one by one, except those that are discarded meanwhile. What fails stays, with its problem. */
  readonly save: (edits: readonly Edit[]) => Promise<void>;
  readonly isBusy: boolean;
};

/**
 * @param onDone is called after saving or discarding one change.
 * @param onFailure is called with the first change that was not saved, unless the reader has left the page.
 */
export function useEdits(onDone: (edit: Edit) => void, onFailure: (edit: Edit) => void): Edits {
  const notify = useNotify();
  const changes = useChanges();
  const [shown, setShown] = useState<ReadonlyMap<string, Edit>>(new Map());
  const present = useRef(shown);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  /** The keys of the changes that are still to be saved. */
  const waiting = useRef(new Set<string>());
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const update = useCallback((key: string, edit: Edit | undefined) => {
    const next = new Map(present.current);
    if (edit) next.set(key, edit);
    else {
      next.delete(key);
      waiting.current.delete(key);
    }
    present.current = next;
    setShown(next);
  }, []);
  const keyFor = ({ definition, appKey }: Edit) => keyOf(definition.name, appKey);

  /** Forgets a saved change. What was typed while it was being saved stays. */
  function settle(edit: Edit) {
    const later = present.current.get(keyFor(edit));
    const isTyped = later !== undefined && !isSame(later.draft.value, edit.draft.value);
    update(
      keyFor(edit),
      isTyped
        ? { ...later, problem: undefined, theirs: undefined, draft: { ...later.draft, base: edit.draft.value } }
        : undefined,
    );
  }

  async function saveOne(edit: Edit): Promise<'saved' | 'same' | 'failed' | 'discarded'> {
    const { definition, appKey, draft } = edit;
    const fail = (more: Pick<Edit, 'problem' | 'theirs'>) => {
      const latest = present.current.get(keyFor(edit));
      if (!latest) return 'discarded';
      update(keyFor(edit), { ...latest, problem: undefined, ...more });
      return 'failed';
    };
    try {
      requireFields(findInputProblems(definition, draft.value));
      await changes.save(definition, appKey, draft);
      settle(edit);
      return 'saved';
    } catch (error) {
      if (!isLatchkeyError(error, 'setting.conflict')) return fail({ problem: describeProblem(error) });
    }
    try {
      const theirs = await changes.readTheirs(definition, appKey);
      if (!isSame(rebase(definition, draft, theirs.value).value, theirs.value)) return fail({ theirs });
      settle(edit);
      notify(words.settings.savedAlready(definition.label));
      return 'same';
    } catch (error) {
      return fail({ problem: describeProblem(error) });
    }
  }

  /** Offers to take the saved changes back. */
  function tell(saved: readonly Edit[], undo: () => Promise<string>) {
    const [first] = saved;
    if (!first) return;
    const { saved: one, savedMany } = words.settings;
    notify(saved.length === 1 ? one(first.definition.label) : savedMany(saved.length), undo);
  }

  /** Tells a reader who has left why changes were not saved. */
  function tellFailures(failed: readonly Edit[]) {
    const { notSaved, conflict } = words.settings;
    const lines = failed.map((edit) => {
      const { problem } = present.current.get(keyFor(edit)) ?? {};
      return notSaved(edit.definition.label, problem?.message ?? `${conflict.title}.`);
    });
    if (lines.length > 0) notify(lines.join(' '));
  }

  /** Takes back the changes in `saved`, and removes those that it has taken back. @throws Refusal if any are left. */
  async function takeBack(saved: Set<Edit & { wasDefault: boolean }>): Promise<string> {
    let count = 0;
    const faults: string[] = [];
    for (const edit of saved) {
      const { definition, appKey, draft, wasDefault } = edit;
      const back = { base: draft.value, value: draft.base, isReset: wasDefault };
      try {
        await changes.save(definition, appKey, back);
        saved.delete(edit);
        count += 1;
      } catch (error) {
        const isConflict = isLatchkeyError(error, 'setting.conflict');
        faults.push(isConflict ? words.settings.undoFailed(definition.label) : describeProblem(error).message);
      }
    }
    const undone = count > 0 ? [words.settings.undone(count)] : [];
    if (faults.length > 0) throw new Refusal([...undone, ...faults].join(' '));
    return words.settings.undone(count);
  }

  async function save(wanted: readonly Edit[]) {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    const saved: (Edit & { wasDefault: boolean })[] = [];
    const failed: Edit[] = [];
    let done: Edit | undefined;
    for (const edit of wanted) {
      // A draft that was applied to the value of another administrator replaces the typed one.
      update(keyFor(edit), edit);
      waiting.current.add(keyFor(edit));
    }
    for (const edit of wanted) {
      if (!waiting.current.delete(keyFor(edit))) continue;
      const outcome = await saveOne(edit);
      if (outcome === 'discarded') continue;
      if (outcome === 'failed') failed.push(edit);
      else done = edit;
      if (outcome === 'saved') saved.push({ ...edit, wasDefault: isSame(edit.draft.base, edit.definition.default) });
    }
    isRunning.current = false;
    setBusy(false);
    const left = new Set(saved);
    const [first] = failed;
    if (!isShown.current) tellFailures(failed);
    tell(saved, () => takeBack(left));
    if (!isShown.current) return;
    if (first) onFailure(first);
    else if (done) onDone(done);
  }

  return {
    all: [...shown.values()],
    find: (definition, appKey) => shown.get(keyOf(definition.name, appKey)),
    put(definition, appKey, draft) {
      const key = keyOf(definition.name, appKey);
      const before = present.current.get(key);
      update(key, isSame(draft.base, draft.value) ? undefined : { ...before, definition, appKey, draft });
    },
    discard(edits, isDone = true) {
      for (const edit of edits) update(keyFor(edit), undefined);
      const [only] = edits;
      if (isDone && edits.length === 1 && only) onDone(only);
    },
    save,
    isBusy,
  };
}
