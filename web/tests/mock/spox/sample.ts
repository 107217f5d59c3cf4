/** A project in the middle of its work, for looking at the page: a few specs, three changes, some of it not right yet. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Files = Record<string, string>;

/** Writes files below `folder`, making the folders they need. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The sample in a folder of its own; gives the folder. */
export function sampleProject(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "tandem-sample-")), "ledger");
  writeFiles(folder, SAMPLE);
  return folder;
}

export const CONFIG = `[paths]
spec_folder = "specs/"
changes_folder = "specs/_changes"
archive_folder = "specs/_archive"

[rules]
system = ["mcp", "global", "coding", "testing", "backend", "frontend", "vcs"]
custom = []
`;

const AUTH = `# Auth Specification

## Purpose

How people prove who they are, how long that lasts, and what happens when somebody guesses. Everything else in the ledger relies on it.

## Requirements

### Requirement: User Login

The system SHALL let a person in who gives a known e-mail address and the right password, and SHALL answer with a session token.

A session token:

- is random, at least 128 bits of it
- is stored **hashed**, never as it was sent
- ends after \`SESSION_HOURS\`, eight by default

#### Scenario: Right password

- **WHEN** a person sends \`POST /login\` with the right password
- **AND** the account is not locked
- **THEN** the answer is \`200\` with a token
- **AND** the login is written to the audit log

#### Scenario: Wrong password

- **WHEN** the password is wrong
- **THEN** the answer is \`401\`
- **AND** it does not say whether the address or the password was wrong
- **AND** the attempt counts towards the lock

### Requirement: Account Lock

The system SHALL lock an account for 15 minutes after five wrong passwords in a row.

#### Scenario: Sixth attempt

- **WHEN** five attempts in a row were wrong
- **AND** a sixth comes within 15 minutes
- **THEN** the answer is \`423\`, even if the password is right

#### Scenario: The lock ends

- **WHEN** 15 minutes have passed since the fifth wrong attempt
- **THEN** the next right password lets the person in
- **AND** the count begins again at zero

### Requirement: Session End

The system SHALL end a session when the person logs out, when its time is over, or when the password changes.

#### Scenario: Logged out

- **WHEN** a person sends \`POST /logout\`
- **THEN** the token is refused from then on

#### Scenario: Password changed

- **WHEN** a person changes the password
- **THEN** every other session of that person ends within one second

### Requirement: Password Rules

The system SHALL refuse passwords that are shorter than twelve characters or in the list of leaked passwords.

#### Scenario: Leaked password

- **WHEN** the new password is in the list
- **THEN** it is refused, with the reason
`;

const TRANSFERS = `# Transfers Specification

## Purpose

Moving money between two accounts of the ledger, so that no cent is lost, made or moved twice, whatever fails meanwhile.

## Requirements

### Requirement: Atomic Transfer

A transfer SHALL debit one account and credit another in one step that happens completely or not at all.

#### Scenario: Enough money

- **WHEN** an account with 100.00 sends 40.00 to another
- **THEN** the first holds 60.00
- **AND** the second holds 40.00 more

#### Scenario: The server stops half way

- **WHEN** the server stops between debit and credit
- **THEN** after the restart neither has happened

### Requirement: Idempotency

A transfer with an \`Idempotency-Key\` SHALL happen once, however often it is sent.

#### Scenario: Sent twice

- **WHEN** the same key and body come twice
- **THEN** the second answer is the first one's
- **AND** no money moves

#### Scenario: Same key, other body

- **WHEN** a key comes again with another amount
- **THEN** the answer is \`422\`

### Requirement: Limits

A person may move at most 10 000.00 a day.

#### Scenario: Over the limit

- **WHEN** a transfer would pass the limit
- **THEN** it is refused with what is left for today

### Requirement: Foreign Currency

#### Scenario: Rate is old

- **WHEN** the newest rate is older than ten minutes
`;

interface Written {
  name: string;
  text: string;
  when: string;
  then: string;
}

function spec(title: string, purpose: string, ...requirements: Written[]): string {
  const written = requirements.map(
    ({ name, text, when, then }) =>
      `### Requirement: ${name}\n\n${text}\n\n#### Scenario: ${name} as usual\n\n- **WHEN** ${when}\n- **THEN** ${then}\n`,
  );
  return `# ${title} Specification\n\n## Purpose\n\n${purpose}\n\n## Requirements\n\n${written.join("\n")}`;
}

const SMALL: Files = {
  "specs/accounts/spec.md": spec(
    "Accounts",
    "Opening, closing and naming accounts, and who may look into them.",
    {
      name: "Opening",
      text: "The system SHALL open an account in one currency, which never changes.",
      when: "a person opens an account in EUR",
      then: "it is there with 0.00 EUR",
    },
    {
      name: "Closing",
      text: "The system SHALL close an account only when it is empty.",
      when: "an account that holds money is closed",
      then: "it is refused with what it holds",
    },
  ),
  "specs/audit-log/spec.md": spec(
    "Audit Log",
    "A record of who did what, which nobody can change afterwards without it being seen.",
    {
      name: "Chained Entries",
      text: "Each entry SHALL hold the hash of the one before it.",
      when: "an entry in the middle is changed",
      then: "`ledger verify` names the first entry that does not fit",
    },
    {
      name: "Retention",
      text: "Entries SHALL be kept for ten years.",
      when: "an entry is older than ten years",
      then: "it may be removed, oldest first",
    },
  ),
  "specs/notifications/spec.md": spec("Notifications", "Mail to people.", {
    name: "Delivery",
    text: "A notification SHALL be sent within a minute of what it tells.",
    when: "a transfer arrives",
    then: "the receiver has a mail within a minute",
  }),
  "specs/payments/refunds/spec.md": spec(
    "Refunds",
    "Giving money back for a payment that was made, in whole or in part, once.",
    {
      name: "Partial Refund",
      text: "The system SHALL refund any part of a payment, up to its amount in total.",
      when: "two refunds together pass the payment",
      then: "the second is refused with what is left",
    },
  ),
  "specs/rate-limits/spec.md": spec(
    "Rate Limits",
    "Keeping one client from using up what belongs to all of them.",
    {
      name: "Per Client",
      text: "The system SHALL answer at most 100 requests a minute for each client.",
      when: "a client sends its 101st request within a minute",
      then: "the answer is `429` with `Retry-After`",
    },
  ),
};

const TWO_FACTOR: Files = {
  "proposal.md": `# Change: Ask for a second factor at login

## Why

Passwords leak. In March three accounts were emptied by people who had bought a list of them, and nothing in the log looked wrong, since
every login was right. A second factor makes a leaked password alone worthless.

## What Changes

- A person can register an app that shows one-time codes (TOTP, RFC 6238)
- **BREAKING** \`POST /login\` answers \`202\` with a challenge when a second factor is registered
- Sessions end when a factor is added or removed
- Recovery codes, ten of them, each good once

## Impact

- Affected specs: \`auth\`, \`notifications\`
- Affected code: \`src/login.rs\`, \`src/session.rs\`, the [client library](https://example.org/ledger-client)
`,
  "tasks.md": `# Tasks

## 1. Codes

- [x] 1.1 Store secrets, encrypted with the key of the installation
- [x] 1.2 Check a code with one step of clock drift
- [x] 1.3 Refuse a code that was used before

## 2. Login

- [x] 2.1 Answer with a challenge when a factor is registered
- [ ] 2.2 Count wrong codes towards the lock
- [ ] 2.3 Write both steps to the audit log
- [ ] tell support how recovery works
`,
  "design.md": `# Design

## Why TOTP and not mail

| Way | Works offline | Phishable | Costs |
|---|---|---|---|
| TOTP app | yes | yes, for 30 s | none |
| Mail | no | yes | per mail |
| Passkey | yes | no | a later change |

Codes are compared in constant time:

\`\`\`rust
fn is_right(code: &str, secret: &Secret, now: Seconds) -> bool {
    (-1..=1).any(|drift| constant_time_eq(code, &totp(secret, now.step() + drift)))
}
\`\`\`

> A code is good once. The last step that was used is kept with the secret.

1. Secrets are encrypted at rest.
2. Recovery codes are hashed like passwords.
`,
  "specs/auth/spec.md": `# auth

## ADDED Requirements

### Requirement: Second Factor

The system SHALL ask for a one-time code after the password when the person has registered an app for it.

#### Scenario: Right code

- **WHEN** the password was right
- **AND** the code of the current or a neighbouring step is sent
- **THEN** the person is let in

#### Scenario: Code used before

- **WHEN** a code is sent that let somebody in already
- **THEN** the answer is \`401\`
- **AND** the attempt counts towards the lock

## MODIFIED Requirements

### Requirement: User Login

The system SHALL let a person in who gives a known e-mail address, the right password and, where one is registered, the right code, and SHALL answer with a session token.

A session token:

- is random, at least 256 bits of it
- is stored **hashed**, never as it was sent
- ends after \`SESSION_HOURS\`, eight by default

#### Scenario: Right password

- **WHEN** a person sends \`POST /login\` with the right password
- **AND** the account is not locked
- **AND** no second factor is registered
- **THEN** the answer is \`200\` with a token
- **AND** the login is written to the audit log

#### Scenario: Second factor registered

- **WHEN** the password is right and a second factor is registered
- **THEN** the answer is \`202\` with a challenge that lasts five minutes

#### Scenario: Wrong password

- **WHEN** the password is wrong
- **THEN** the answer is \`401\`
- **AND** it does not say whether the address or the password was wrong
- **AND** the attempt counts towards the lock

## REMOVED Requirements

### Requirement: Password Rules

## RENAMED Requirements

### Requirement: Session End → End of a Session
`,
  "specs/recovery/spec.md": `# recovery

## Purpose

Getting back in without the second factor, without opening a door for others.

## ADDED Requirements

### Requirement: Recovery Codes

The system SHALL give ten recovery codes when a second factor is registered, each good once.

#### Scenario: Code used

- **WHEN** a recovery code is sent in place of a one-time code
- **THEN** the person is let in
- **AND** the code is worthless from then on
`,
};

const LIMITS: Files = {
  "proposal.md": `# Change: Count requests per person, not per address

## Why

A whole office shares one address, and its people take each other's turns. Limits should belong to who asks.

## What Changes

- The limit counts by person where one is logged in
`,
  "tasks.md": `- [x] 1.1 Count by person
- [x] 1.2 Say which limit was reached
`,
  "specs/rate-limits/spec.md": `## MODIFIED Requirements

### Requirement: Per Client

The system SHALL answer at most 100 requests a minute for each person, or for each address where nobody is logged in.

#### Scenario: Per Client as usual

- **WHEN** a person sends the 101st request within a minute
- **THEN** the answer is \`429\` with \`Retry-After\`
`,
};

const STATEMENTS: Files = {
  "proposal.md": `# Change: Monthly statements

## What Changes

- A statement for each account and month, as PDF and as CSV
`,
  "tasks.md": "# Tasks\n\n- [ ] 1.1 Choose a library for PDF\n",
  "specs/accounts/spec.md": `## MODIFIED Requirements

### Requirement: Statements

The system SHALL make a statement for each account on the first of the month.
`,
};

function change(id: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`specs/_changes/${id}/${path}`, text]),
  );
}

export const SAMPLE: Files = {
  ".spox/config.toml": CONFIG,
  "specs/auth/spec.md": AUTH,
  "specs/payments/transfers/spec.md": TRANSFERS,
  ...SMALL,
  ...change("add-two-factor-auth", TWO_FACTOR),
  ...change("limit-by-person", LIMITS),
  ...change("add-statements", STATEMENTS),
};
