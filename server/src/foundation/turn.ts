// Turns of the event loop: what many ask for in one of them is done once, after it.

/** A function that runs `task` once after the present turn, however often it is called in it. */
export function oncePerTurn(task: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      task().catch(onError);
    });
  };
}

/** A promise of the end of the present turn, one for all who wait for it. */
export function createTurnEnd(): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    });
    return end;
  };
}
