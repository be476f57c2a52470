// The colours of the charts: one sequence from dark to light for the parts in the order of their frequency, and red for failures.

export const sequence = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)'] as const;

export const FAILURE = 'var(--chart-bad)';
