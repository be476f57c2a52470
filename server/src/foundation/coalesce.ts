// Coalescing: what many ask for in one turn of the event loop is done once.

/** A function that runs `task` once after the present turn, however often it is called in it. */
export function coalesce(task: () => Promise<void>, onError: (error: unknown) => void): () => void {
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
