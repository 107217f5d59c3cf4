/** What a campaign is made of, as it comes over the wire. */

export type GmMode = "HUMAN" | "AI" | "HYBRID";
export type Role = "GM" | "PLAYER";
export type Advantage = "NONE" | "ADVANTAGE" | "DISADVANTAGE";
export type Outcome =
  | "ROLL_WITH_HOPE"
  | "ROLL_WITH_FEAR"
  | "SUCCESS_WITH_HOPE"
  | "SUCCESS_WITH_FEAR"
  | "FAILURE_WITH_HOPE"
  | "FAILURE_WITH_FEAR"
  | "CRITICAL_SUCCESS";

export const TRAITS = [
  "AGILITY",
  "STRENGTH",
  "FINESSE",
  "INSTINCT",
  "PRESENCE",
  "KNOWLEDGE",
] as const;
export type Trait = (typeof TRAITS)[number];

export interface Campaign {
  id: string;
  name: string;
  gm_mode: GmMode;
  participant_count: number;
  actor_count: number;
  theme_prompt: string;
  created_at: string;
  updated_at: string;
}

export interface Participant {
  id: string;
  display_name: string;
  role: Role;
  controller: "HUMAN" | "AI";
}

export interface Sheet {
  traits: Record<Trait, number>;
  hp_max: number;
  stress_max: number;
  evasion: number;
  major_threshold: number;
  severe_threshold: number;
}

export interface Vitals {
  hope: number;
  stress: number;
  hp: number;
}

export interface Actor {
  id: string;
  name: string;
  kind: "PC" | "NPC";
  notes: string;
  /** `GM`, the id of a participant, or nobody yet. */
  controller: string | null;
  sheet: Sheet;
  state: Vitals;
}

export interface Session {
  id: string;
  name: string;
  status: "ACTIVE" | "PAUSED" | "ENDED";
  started_at: string;
  ended_at?: string;
}

/** Everything on the table, at one entry of the record. */
export interface Table {
  campaign: Campaign;
  participants: Participant[];
  actors: Actor[];
  sessions: Session[];
  active_session: string | null;
  gm_fear: number;
  /** Whether a GM has a token, so that not everybody may change everything. */
  guarded: boolean;
  seq: number;
  head_hash: string;
}

export interface Modifier {
  source: string;
  value: number;
}

export interface Pool {
  sides: number;
  results: number[];
  total: number;
}

/** What is kept of a roll. */
export interface RollPayload {
  roll: "DUALITY" | "DICE" | "ACTION";
  actor_id?: string;
  trait?: Trait;
  modifiers?: Modifier[];
  modifier?: number;
  difficulty?: number;
  advantage?: Advantage;
  hope?: number;
  fear?: number;
  advantage_die?: number;
  total: number;
  outcome?: Outcome;
  dice?: Pool[];
}

/** An entry of the record. */
export interface Entry {
  seq: number;
  ts: string;
  type: string;
  request_id: string;
  /** Names the tool call of an agent that made it, if one did. */
  invocation_id: string;
  actor: { kind: "PARTICIPANT" | "GM" | "SYSTEM"; id: string; name?: string };
  session_id?: string;
  entity: { kind: string; id: string };
  payload: Record<string, unknown>;
  undone?: true;
  event_hash: string;
  prev_hash: string;
}

export interface Step {
  code: string;
  message: string;
  data: Record<string, unknown>;
}

export interface Odds {
  total_outcomes: number;
  crit_count: number;
  success_count: number;
  failure_count: number;
  outcome_counts: { outcome: Outcome; count: number }[];
}

export interface Applied {
  roll_seq: number;
  changes: {
    actor_id: string;
    hope: number;
    stress: number;
    hope_after: number;
    stress_after: number;
  }[];
  gm_fear: number;
  requires_complication: boolean;
}

export type Verdict =
  { valid: true; events: number; head_hash: string } | { valid: false; seq: number; why: string };
