// PLACEHOLDER
export function OutboxPage() {
  return null;
}
