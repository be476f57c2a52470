// PLACEHOLDER
export function ResetPage() {
  return null;
}
