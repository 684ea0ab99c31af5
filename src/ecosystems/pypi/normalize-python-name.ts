const NORMALIZED = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** PEP 503: `Flask_SQLAlchemy` and `flask-sqlalchemy` are one package. */
export function normalizePythonName(name: string): string {
  // Lockfiles have the normalized name already.
  if (NORMALIZED.test(name)) return name;
  return name.replace(/[-_.]+/g, "-").toLowerCase();
}
