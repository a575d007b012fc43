//! What the database itself refuses, whatever the code does; and that it explains itself.

use crate::stage::Stage;

/// The constraint that refuses a statement.
async fn refused_by(stage: &Stage, sql: &str) -> String {
    let error = sqlx::raw_sql(sql).execute(&stage.pool).await.expect_err(sql);
    error.as_database_error().and_then(|e| e.constraint()).unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_append_only_and_a_finished_task_stays() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.ask(ann, seen.task_id, domain::intent::Wish::Cancel).await.unwrap();
    working.stop().await;
    for (sql, constraint) in [
        ("update task_event set kind = 'saved'", "task_event_append_only"),
        ("delete from task_event", "task_event_append_only"),
        ("truncate task_event", "task_event_append_only"),
        ("update draft set text = 'mine', hash = hash", "draft_append_only"),
        ("delete from evidence", "evidence_append_only"),
        ("update task set state = 'saved', phase = 'succeeded'", "task_finished_stays"),
        ("update task set attempt = attempt - 1", "task_fence_grows"),
        ("update task set seq = seq - 1", "task_fence_grows"),
        ("update task set due_at = now()", "task_finished_is_not_due"),
        ("insert into task select (jsonb_populate_record(t, '{\"seq\": 0}')).* from task t", "task_seq_positive"),
        (
            "insert into task select (jsonb_populate_record(t, '{\"attempt\": -1}')).* from task t",
            "task_attempt_positive",
        ),
        ("update task set phase = 'asleep'", "task_phase_known"),
        ("update task set step_mark = 'perhaps'", "task_step_mark_known"),
        ("update task set step = 'draft', step_op = null", "task_step_is_whole"),
        ("update task set precheck_at = now()", "task_precheck_is_whole"),
        ("update task set holder = gen_random_uuid()", "task_lease_has_holder"),
        ("update operation set finished_at = null", "operation_finished_has_time"),
        ("update operation set state = 'perhaps', finished_at = null", "operation_state_known"),
        (
            "insert into draft select task_id, 9, author, produced_by, simulated, hash, on_source_version, 'x', now() from draft",
            "draft_hash_is_of_text",
        ),
    ] {
        assert_eq!(refused_by(&stage, sql).await, constraint, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_explains_itself_and_every_key_of_a_task_leads_with_it() {
    let stage = Stage::new().await;
    let silent: Vec<String> = sqlx::query_scalar(
        "select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.relkind = 'r' and n.nspname in ('public', 'library') and c.relname not like '\\_sqlx%'
            and obj_description(c.oid) is null",
    )
    .fetch_all(&stage.pool)
    .await
    .unwrap();
    assert_eq!(silent, Vec::<String>::new(), "tables without a comment");
    let other_keys: Vec<String> = sqlx::query_scalar(
        "select i.indexrelid::regclass::text from pg_index i
           join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'task_id'
          where i.indisprimary and i.indkey[0] <> a.attnum",
    )
    .fetch_all(&stage.pool)
    .await
    .unwrap();
    assert_eq!(other_keys, Vec::<String>::new(), "keys that do not lead with task_id");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readme_lists_the_tables_as_they_are() {
    let stage = Stage::new().await;
    let tables: Vec<String> = sqlx::query_scalar(
        "select '- **' || case when table_schema = 'public' then '' else table_schema || '.' end || table_name || '**: '
                || string_agg(column_name, ', ' order by ordinal_position)
           from information_schema.columns
          where table_schema in ('public', 'library') and table_name not like '\\_sqlx%'
          group by table_schema, table_name
          order by table_schema desc, table_name",
    )
    .fetch_all(&stage.pool)
    .await
    .unwrap();
    let readme = include_str!("../../../README.md");
    let listed = readme.split("<!-- schema -->\n").nth(1).and_then(|rest| rest.split("<!-- /schema -->").next());
    assert_eq!(listed.unwrap_or_default().trim(), tables.join("\n"), "the README should list:\n{}", tables.join("\n"));
}
