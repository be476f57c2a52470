// What is wrong with the environment.

/** A variable that is wrong; `message` is one line that names it and says what to do. */
export class EnvironmentError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.name = 'EnvironmentError';
  }
}
