//! Many tasks at once, and questions put to the database itself: what is stored, and how often the
//! library was asked.

use std::time::Duration;

use domain::{
    id::{OpId, TaskId, UserId},
    text::Hash,
};
use server::library::Save;
use uuid::Uuid;

use crate::stage::{QUESTION, Stage, new_task, start};

impl Stage {
    /// Tasks of one owner, each with a question of its own.
    pub async fn start_many(&self, owner: UserId, how_many: usize) -> Vec<TaskId> {
        let mut tasks = Vec::new();
        for ordinal in 0..how_many {
            let task = new_task();
            self.ask(owner, task, start(&format!("{QUESTION} ({ordinal})"))).await.unwrap();
            tasks.push(task);
        }
        tasks
    }

    pub async fn count(&self, sql: &str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    /// Waits until a count is what it should be.
    pub async fn until_count(&self, what: &str, sql: &str, wanted: usize) {
        let wanted = i64::try_from(wanted).unwrap();
        let mut last = 0;
        for _ in 0..3000 {
            last = self.count(sql).await;
            if last == wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("in 60 s it did not come true that {what}: {last}, not {wanted}");
    }

    pub async fn until_all_are(&self, state: &str, how_many: usize) {
        let sql = format!("select count(*) from task where state = '{state}'");
        self.until_count(&format!("all are {state}"), &sql, how_many).await;
    }

    /// The operations of one kind in a task's ledger, with their states.
    pub async fn operations(&self, task: TaskId, kind: &str) -> Vec<(OpId, String)> {
        let rows: Vec<(Uuid, String)> =
            sqlx::query_as("select op_id, state from operation where task_id = $1 and kind = $2 order by intended_at")
                .bind(task.0)
                .bind(kind)
                .fetch_all(&self.pool)
                .await
                .unwrap();
        rows.into_iter().map(|(op, state)| (OpId(op), state)).collect()
    }

    /// The only operation of its kind, and its state.
    pub async fn only_operation(&self, task: TaskId, kind: &str) -> (OpId, String) {
        let mut rows = self.operations(task, kind).await;
        assert_eq!(rows.len(), 1, "operations of kind {kind}: {rows:?}");
        rows.remove(0)
    }

    /// From now on the library itself counts how often it is asked to save or to withdraw, also
    /// where the answer was there already.
    pub async fn count_library_calls(&self) {
        sqlx::raw_sql(
            "create table library.call (task_id uuid, outcome text);
             create function library.note_call() returns trigger language plpgsql as $$
                 begin insert into library.call values (new.task_id, new.outcome); return new; end $$;
             create trigger note_call before insert on library.decision
                 for each row execute function library.note_call()",
        )
        .execute(&self.pool)
        .await
        .unwrap();
    }

    /// How often the library was asked to save for a task, by its own count.
    pub async fn save_calls(&self, task: TaskId) -> i64 {
        self.number("select count(*) from library.call where task_id = $1 and outcome = 'saved'", task).await
    }

    /// What the library would be asked for a task that was accepted: for a save that arrives late.
    pub async fn accepted_save(&self, task: TaskId) -> Save {
        let (op_id, _) = self.only_operation(task, "save").await;
        let (owner, draft_version, text): (Uuid, i32, String) = sqlx::query_as(
            "select t.owner, d.version, d.text from task t join draft d on d.task_id = t.task_id
              where t.task_id = $1 order by d.version desc limit 1",
        )
        .bind(task.0)
        .fetch_one(&self.pool)
        .await
        .unwrap();
        Save {
            task_id: task,
            op_id,
            owner: UserId(owner),
            draft_version: u32::try_from(draft_version).unwrap(),
            hash: Hash::of(&text),
            title: String::new(),
            text,
        }
    }

    /// The bytes that the library has for a task.
    pub async fn saved_text(&self, task: TaskId) -> String {
        sqlx::query_scalar("select text from library.entry where task_id = $1")
            .bind(task.0)
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }
}
