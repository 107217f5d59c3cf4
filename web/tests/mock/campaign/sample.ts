/** A campaign in the middle of its second evening, for looking at the page. */

import {
  addActor,
  addNote,
  applyOutcome,
  endSession,
  join,
  rollAt,
  setController,
  setFear,
  setSheet,
  setVitals,
  startSession,
} from "./changes.ts";
import { drawer } from "./duality.ts";
import { Kept, NOBODY, type Caller } from "./kept.ts";

export function sampleCampaign(): Kept {
  const kept = new Kept(
    "The Lost Expedition",
    "HYBRID",
    "A dark fantasy in a cursed forest: the survivors of an expedition look for the ones who went in before them.",
  );
  const person = (display_name: string, role: string, controller: string) =>
    join(kept, NOBODY, { display_name, role, controller }).id;
  const ada = person("Ada", "GM", "HUMAN");
  const mira = person("Mira", "PLAYER", "HUMAN");
  const oracle = person("Oracle", "PLAYER", "AI");
  const actor = (
    name: string,
    kind: string,
    notes: string,
    controller: string,
    traits: number[],
  ) => {
    const made = addActor(kept, NOBODY, { name, kind, notes });
    setController(kept, NOBODY, made.id, { controller });
    const names = Object.keys(made.sheet.traits);
    const given = Object.fromEntries(names.map((trait, n) => [trait, traits[n] ?? 0]));
    setSheet(kept, NOBODY, made.id, { traits: given });
    return made.id;
  };
  const thorin = actor(
    "Thorin Ironforge",
    "PC",
    "Dwarf warrior with a mysterious past",
    mira,
    [0, 2, -1, 1, 0, 1],
  );
  const lark = actor(
    "Lark",
    "PC",
    "Scout; knows every bird by its call",
    oracle,
    [2, -1, 1, 1, 0, 0],
  );
  actor("The Pale Stag", "NPC", "It watches, and it counts them", "GM", [1, 3, 0, 2, 2, -1]);
  evening(kept, "The Journey Begins", [as(ada), as(mira), as(oracle, "inv_1")], thorin, lark);
  endSession(kept, as(ada), kept.table.active_session ?? "");
  evening(kept, "The Ford", [as(ada), as(mira), as(oracle, "inv_2")], thorin, lark);
  return kept;
}

function evening(kept: Kept, name: string, who: Caller[], thorin: string, lark: string): void {
  const [ada = NOBODY, mira = NOBODY, oracle = NOBODY] = who;
  startSession(kept, ada, { name });
  addNote(kept, ada, { text: "Rain since dawn. The river is higher than anyone remembers." });
  const roll = (caller: Caller, actor_id: string, trait: string, more: object, dice: number[]) => {
    const asked = { kind: "ACTION", actor_id, trait, ...more };
    const { roll_seq } = rollAt(kept, caller, asked, drawer(dice)) as { roll_seq: number };
    applyOutcome(kept, caller, roll_seq, {});
  };
  roll(mira, thorin, "STRENGTH", { difficulty: 14 }, [9, 6]);
  const light = { difficulty: 15, modifiers: [{ source: "Low light", value: -1 }] };
  roll(oracle, lark, "AGILITY", light, [4, 7]);
  const { stress, hp } = kept.actor(thorin).state;
  setVitals(kept, mira, thorin, { stress: stress + 1, hp: hp - 1 });
  roll(oracle, lark, "INSTINCT", { difficulty: 12, advantage: "ADVANTAGE" }, [8, 8, 4]);
  setFear(kept, ada, { fear: kept.table.gm_fear + 2 });
  rollAt(
    kept,
    ada,
    {
      kind: "DICE",
      dice: [
        { sides: 20, count: 1 },
        { sides: 6, count: 2 },
      ],
    },
    drawer(),
  );
}

function as(participant: string, invocation = ""): Caller {
  return { ...NOBODY, participant, invocation };
}
