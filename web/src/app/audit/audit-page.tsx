// PLACEHOLDER
export function AuditPage() {
  return null;
}
