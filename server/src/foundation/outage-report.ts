// What works in the background reports an outage when it begins, and not with each try.

export interface OutageReport {
  /** Reports the first of failures in a row. */
  failed(error: unknown): void;
  worked(): void;
}

export function createOutageReport(onError: (error: unknown) => void): OutageReport {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) onError(error);
      isFailing = true;
    },
    worked() {
      isFailing = false;
    },
  };
}
