// Refusals of services, told with the place in the file that they concern.
import { isRefusal } from '../foundation/errors.ts';
import type { ConfigurationFile } from './file.ts';
import type { ConfigurationError, Path } from './problem.ts';

/** Returns the error with its place in the file if it is a refusal, otherwise the error itself. */
export function toPlace(file: ConfigurationFile, path: Path, error: unknown): ConfigurationError | unknown {
  if (!isRefusal(error)) return error;
  const [first] = error.validationErrors ?? [];
  const [member = ''] = first?.members ?? [];
  // Settings call a value as a whole so.
  const inner = member === '' || member === 'value' ? [] : member.split('.');
  return file.refuse([...path, ...inner], first?.message ?? error.details);
}

/** Runs `work`. @throws ConfigurationError for its refusals. */
export function refusing<Result>(file: ConfigurationFile, path: Path, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toPlace(file, path, error);
  }
}
