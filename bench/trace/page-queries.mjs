/** Ways to sort a page: as a request says it, and as SQL over `object_heads h`. */
export const ORDERS = {
  default: { sql: 'h.latest_created_at, h.latest_version_index, h.object_id' },
  'created_at desc': {
    sortBy: [{ field: 'created_at', direction: 'desc' }],
    sql: 'h.latest_created_at DESC, h.latest_version_index, h.object_id',
  },
  object_id: { sortBy: [{ field: 'object_id', direction: 'asc' }], sql: 'h.object_id, h.latest_version_index' },
};

/**
 * The page in the fastest SQL known for these tables; `$1` is the project's row id. With a plain join Postgres takes
 * the columns of the key for independent, expects one row in all and joins everything before it sorts; `LIMIT 1` in a
 * LATERAL shows it that each head has one version, so that it walks the index of the heads and stops at the limit.
 */
export function bareQuery(order, metadataOnly, limit) {
  return {
    name: `page ${order} ${metadataOnly}`,
    text: `SELECT v.object_id, v.created_at, v.digest, v.version_index, v.kind, v.base_object_class, v.leaf_object_class,
        v.svc_user_id${metadataOnly ? '' : ', v.val_text, v.val_blob'}
      FROM object_heads h CROSS JOIN LATERAL (
        SELECT * FROM object_versions v
        WHERE v.project_id = h.project_id AND v.object_id = h.object_id AND v.digest = h.latest_digest LIMIT 1) v
      WHERE h.project_id = $1 AND h.latest_digest IS NOT NULL
      ORDER BY ${ORDERS[order].sql} LIMIT ${limit}`,
  };
}
