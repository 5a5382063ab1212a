const SLICE = 100_000;
/** Small steps, so that no two versions share their time: sorting by it is then as hard as it gets. */
const STEP = `interval '1 millisecond'`;
const FIRST = `timestamptz '2026-01-01T00:00:00Z'`;

/** 43 characters as a digest has them. */
const digest = (object, version) => `substr(md5(${object} || '/' || ${version}) || md5(${version} || '#'), 1, 43)`;

/** `o-0000042`: sorts as its number does. */
const objectId = (number) => `'o-' || lpad(${number}::text, 7, '0')`;

/**
 * Stores `objects` objects with `versions` versions each, set-based and straight into the tables; version n of every
 * object is older than version n + 1 of any, as when all are changed again and again.
 *
 * @param {{ objects: number, versions: number, valueBytes?: number }} shape
 */
export async function loadObjects(client, world, project, shape, progress) {
  const { objects, versions, valueBytes = 200 } = shape;
  const total = objects * versions;
  for (let from = 0; from < total; from += SLICE) {
    progress.detail(`${from.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`);
    await client.query(
      `INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, base_object_class,
         leaf_object_class, svc_user_id, val_text, size_bytes)
       SELECT $1, object_id, ${digest('object_id', 'version::text')}, version, ${FIRST} + n * ${STEP}, 'object',
         'Dataset', 'Dataset', $2, val, length(val)
       FROM (SELECT n, n / $3::int AS version, ${objectId('(n % $3::int)')} AS object_id,
           '{"text":"' || (SELECT string_agg(md5(n || ':' || piece), '') FROM generate_series(1, $4::int) piece) || '"}' AS val
         FROM generate_series($5::int, $6::int) n) numbered`,
      [project.rowId, world.userId, objects, Math.ceil(valueBytes / 32), from, Math.min(from + SLICE, total) - 1],
    );
  }
  await client.query(
    `INSERT INTO object_heads (project_id, object_id, next_version_index, latest_digest, latest_created_at,
       latest_version_index)
     SELECT project_id, object_id, $2::int, digest, created_at, version_index FROM object_versions
     WHERE project_id = $1 AND version_index = $2::int - 1`,
    [project.rowId, versions],
  );
}

/** What autovacuum does a minute after a load: statistics and the visibility map. */
export async function settle(client) {
  await client.query('VACUUM ANALYZE object_versions, object_heads');
  await client.query('CHECKPOINT');
}
