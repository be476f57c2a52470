// Turns of the event loop: work that many callers request in one turn runs once, after it.

/** Returns a function that runs `task` once after the present turn, even if it is called more often. */
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

/** Returns a function that gives the promise of the present turn's end. All callers of one turn share it. */
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
