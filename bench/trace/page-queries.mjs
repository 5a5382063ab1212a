/** Ways to sort a page: as a request says it, and as SQL over `object_heads h`. */
export const ORDERS = {
  default: { sql: 'h.latest_created_at, h.latest_version_index, h.object_id' },
  'created_at desc': {
    sortBy: [{ field: 'created_at', direction: 'desc' }],
    sql: 'h.latest_created_at DESC, h.latest_version_index, h.object_id',
  },
  object_id: { sortBy: [{ field: 'object_id', direction: 'asc' }], sql: 'h.object_id, h.latest_version_index' },
};

/** The page as somebody would write it who has only the tables. `$1` is the project's row id. */
export function bareQuery(order, metadataOnly, limit) {
  return {
    name: `page ${order} ${metadataOnly}`,
    text: `SELECT v.object_id, v.created_at, v.digest, v.version_index, v.kind, v.base_object_class, v.leaf_object_class,
        v.svc_user_id${metadataOnly ? '' : ', v.val_text, v.val_blob'}
      FROM object_heads h JOIN object_versions v
        ON v.project_id = h.project_id AND v.object_id = h.object_id AND v.digest = h.latest_digest
      WHERE h.project_id = $1 AND h.latest_digest IS NOT NULL
      ORDER BY ${ORDERS[order].sql} LIMIT ${limit}`,
  };
}
