-- CreateTable
CREATE TABLE "table_rows" (
    "project_id" UUID NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "val_text" TEXT,
    "val_blob" TEXT,
    "val_json" JSONB,
    "size_bytes" BIGINT NOT NULL,

    CONSTRAINT "table_rows_pkey" PRIMARY KEY ("project_id","digest")
);

-- CreateTable
CREATE TABLE "table_versions" (
    "project_id" UUID NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "row_count" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "table_versions_pkey" PRIMARY KEY ("project_id","digest")
);

-- CreateTable
CREATE TABLE "table_chunks" (
    "project_id" UUID NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "chunk_no" INTEGER NOT NULL,
    "row_digests" TEXT[] COLLATE "C",

    CONSTRAINT "table_chunks_pkey" PRIMARY KEY ("project_id","digest","chunk_no")
);
