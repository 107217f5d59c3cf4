//! A session with a server: requests, and what comes back.

use std::{io::Cursor, time::Duration};

use arrow::{array::StructArray, ipc::reader::StreamReader};
use malloy_engine::{Batches, Error, Limits};
use malloy_model::ir::Column;
use tonic::{
    Code, Request, Status, Streaming,
    metadata::MetadataValue,
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Channel, ClientTlsConfig, Endpoint},
};
use uuid::Uuid;

use crate::{
    Settings,
    proto::{
        AnalyzePlanRequest, Command, ConfigRequest, ExecutePlanRequest, ExecutePlanResponse,
        InterruptRequest, KeyValue, Plan, Relation, Sql, SqlCommand, UserContext,
        analyze_plan_request, analyze_plan_response, command, config_request,
        execute_plan_response::ResponseType, interrupt_request, plan, relation,
        spark_connect_service_client::SparkConnectServiceClient,
    },
    types,
};

/// The largest message that is taken. Servers cut results into batches of a few megabytes.
const LARGEST: usize = 256 << 20;

/// Times are UTC whatever the server's own zone is. What cannot be done is an error and not null, as on other engines.
const CONFIGURATION: [(&str, &str); 2] =
    [("spark.sql.session.timeZone", "UTC"), ("spark.sql.ansi.enabled", "true")];

#[derive(Debug, Clone)]
pub(crate) struct Session {
    client: SparkConnectServiceClient<InterceptedService<Channel, Token>>,
    id: String,
    user: UserContext,
    place: String,
}

/// Puts the token into each request.
#[derive(Debug, Clone)]
pub(crate) struct Token(Option<MetadataValue<tonic::metadata::Ascii>>);

impl Interceptor for Token {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

impl Session {
    /// Connects, and makes the session ready.
    pub(crate) async fn open(settings: &Settings) -> Result<Self, Error> {
        let place = settings.place();
        let unusable = |error: &dyn std::fmt::Display| unreachable(&place, &error.to_string());
        let scheme = if settings.tls { "https" } else { "http" };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{place}"))
            .map_err(|error| unusable(&error))?
            .connect_timeout(settings.patience)
            .http2_keep_alive_interval(Duration::from_secs(30))
            .tcp_nodelay(true);
        if settings.tls {
            endpoint = endpoint
                .tls_config(ClientTlsConfig::new().with_native_roots())
                .map_err(|error| unusable(&error))?;
        }
        let token = settings.token.as_ref().map(|token| format!("Bearer {token}").parse());
        let token = token
            .transpose()
            .map_err(|_| unusable(&"the token has characters that none may have"))?;
        let channel = endpoint.connect().await.map_err(|error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            unusable(&cause.unwrap_or_else(|| error.to_string()))
        })?;
        let client = SparkConnectServiceClient::with_interceptor(channel, Token(token))
            .max_decoding_message_size(LARGEST);
        let user = UserContext { user_id: settings.user.clone(), user_name: settings.user.clone() };
        let session = Self { client, id: Uuid::new_v4().to_string(), user, place };
        session.configure().await?;
        for statement in &settings.setup {
            session.command(statement).await?;
        }
        Ok(session)
    }

    async fn configure(&self) -> Result<(), Error> {
        let pair = |(key, value): (&str, &str)| KeyValue {
            key: key.to_owned(),
            value: Some(value.to_owned()),
        };
        let pairs = CONFIGURATION.map(pair).to_vec();
        let set = config_request::operation::OpType::Set(config_request::Set { pairs });
        let request = ConfigRequest {
            session_id: self.id.clone(),
            user_context: Some(self.user.clone()),
            operation: Some(config_request::Operation { op_type: Some(set) }),
            client_type: Some(CLIENT.to_owned()),
        };
        self.client.clone().config(request).await.map_err(|status| self.failed(&status))?;
        Ok(())
    }

    /// Runs a statement that gives nothing.
    pub(crate) async fn command(&self, sql: &str) -> Result<(), Error> {
        let input =
            Relation { rel_type: Some(relation::RelType::Sql(Sql { query: sql.to_owned() })) };
        let command = SqlCommand { sql: sql.to_owned(), input: Some(input) };
        let command = Command { command_type: Some(command::CommandType::SqlCommand(command)) };
        let plan = Plan { op_type: Some(plan::OpType::Command(command)) };
        let mut answers = self.execute(plan, &Uuid::new_v4().to_string()).await?;
        while answers.message().await.map_err(|status| self.failed(&status))?.is_some() {}
        Ok(())
    }

    /// The columns of a select, which is not run.
    pub(crate) async fn columns(&self, sql: &str) -> Result<Vec<Column>, Error> {
        let schema = analyze_plan_request::Schema { plan: Some(select(sql)) };
        let request = AnalyzePlanRequest {
            session_id: self.id.clone(),
            user_context: Some(self.user.clone()),
            client_type: Some(CLIENT.to_owned()),
            analyze: Some(analyze_plan_request::Analyze::Schema(schema)),
        };
        let answer = self.client.clone().analyze_plan(request).await;
        let answer = answer.map_err(|status| self.failed(&status))?.into_inner();
        match answer.result {
            Some(analyze_plan_response::Result::Schema(schema)) => {
                Ok(schema.schema.map(types::columns).unwrap_or_default())
            }
            None => Err(Error::query("the server did not tell the columns")),
        }
    }

    /// The rows of a select.
    pub(crate) async fn rows(
        &self,
        sql: &str,
        operation: &str,
        width: usize,
        limits: &Limits,
    ) -> Result<Batches, Error> {
        let mut answers = self.execute(select(sql), operation).await?;
        let mut batches = None;
        while let Some(answer) = answers.message().await.map_err(|status| self.failed(&status))? {
            let Some(ResponseType::ArrowBatch(sent)) = answer.response_type else { continue };
            let unread = |error: arrow::error::ArrowError| {
                Error::query(format!("the rows that the server sent cannot be read: {error}"))
            };
            for batch in StreamReader::try_new(Cursor::new(sent.data), None).map_err(unread)? {
                let batch = StructArray::from(batch.map_err(unread)?);
                let batches =
                    batches.get_or_insert_with(|| Batches::new(batch.num_columns(), limits));
                if !batches.push(batch)? {
                    // The rest is not wanted: the server is told, by the one who asked.
                    return Ok(std::mem::replace(batches, Batches::new(width, limits)));
                }
            }
        }
        Ok(batches.unwrap_or_else(|| Batches::new(width, limits)))
    }

    async fn execute(
        &self,
        plan: Plan,
        operation: &str,
    ) -> Result<Streaming<ExecutePlanResponse>, Error> {
        let request = ExecutePlanRequest {
            session_id: self.id.clone(),
            user_context: Some(self.user.clone()),
            plan: Some(plan),
            client_type: Some(CLIENT.to_owned()),
            operation_id: Some(operation.to_owned()),
        };
        let answers = self.client.clone().execute_plan(request).await;
        Ok(answers.map_err(|status| self.failed(&status))?.into_inner())
    }

    /// Has the server stop an operation.
    pub(crate) async fn interrupt(&self, operation: &str) {
        let request = InterruptRequest {
            session_id: self.id.clone(),
            user_context: Some(self.user.clone()),
            client_type: Some(CLIENT.to_owned()),
            interrupt_type: interrupt_request::InterruptType::OperationId.into(),
            interrupt: Some(interrupt_request::Interrupt::OperationId(operation.to_owned())),
        };
        // One that has ended meanwhile needs no stopping.
        self.client.clone().interrupt(request).await.ok();
    }

    fn failed(&self, status: &Status) -> Error {
        match status.code() {
            Code::Unavailable
            | Code::Unauthenticated
            | Code::PermissionDenied
            | Code::Unimplemented => unreachable(&self.place, status.message()),
            _ => Error::query(first_lines(status.message())),
        }
    }
}

const CLIENT: &str = "tandem";

fn select(sql: &str) -> Plan {
    let sql = relation::RelType::Sql(Sql { query: sql.to_owned() });
    Plan { op_type: Some(plan::OpType::Root(Relation { rel_type: Some(sql) })) }
}

pub(crate) fn unreachable(place: &str, why: &str) -> Error {
    Error::Unavailable {
        message: format!("cannot ask Spark at {place}: {why}"),
        hint: Some("check the connection's settings, and whether the server runs".to_owned()),
    }
}

/// What is wrong, without the stack of the server and the plan that it prints after.
fn first_lines(message: &str) -> String {
    message
        .lines()
        .take_while(|line| !line.trim().is_empty())
        .take(5)
        .collect::<Vec<_>>()
        .join("\n")
}
