/**
 * What the web process tells a page, as types: the entities of docs/web.md and the answers to acts.
 *
 * Nothing runs here. The names are those of the node's own view (`core.view`, `vocabulary.protocol`); a field at its
 * default is left out on the way, so what may be absent is optional. Amounts are whole minor units of the pot's currency.
 *
 * @typedef {"between" | "open" | "locking" | "sealed"} Phase
 *
 * @typedef {object} NodeEntity
 * @property {string} node
 * @property {string} [day]
 * @property {boolean} [stopping]
 * @property {boolean} [out_of_service]
 *
 * @typedef {object} Hand
 * @property {number} seat
 * @property {string[]} [acts]
 * @property {string[]} [cards]
 * @property {string} [claimed]
 *
 * @typedef {object} TableEntity
 * @property {string} table
 * @property {Phase} phase
 * @property {number} number
 * @property {number[]} [unproven]
 * @property {Record<string, string>} [cards]
 * @property {boolean} [training]
 * @property {number} [last_sealed]
 * @property {string[]} [draws]
 * @property {Hand[]} [hands]
 * @property {string[]} [community]
 * @property {number} [left]
 * @property {number} [suspense]
 * @property {string} [pot]
 * @property {string} [modality]
 * @property {number} [credit]
 * @property {string[]} [acts]
 * @property {string[]} [forfeits]
 *
 * @typedef {object} SeatEntity
 * @property {string} [table]
 * @property {number} seat
 * @property {"off" | "steady" | "fault"} [light]
 * @property {boolean} [locked]
 * @property {boolean} [enabled]
 * @property {number} [credits]
 * @property {number} [promo]
 * @property {number} [bet]
 * @property {number} [owed]
 * @property {number} [give_back]
 * @property {string} [closed]
 * @property {number} [unsigned]
 * @property {number} [over]
 * @property {boolean} [valid]
 * @property {string} [why]
 * @property {"up" | "down" | "starting"} [health]
 * @property {string} [lamp]
 * @property {string[]} [faults]
 * @property {boolean} [unit_locked]
 * @property {"button" | "pass"} [waits]
 * @property {string} [unit_bet]
 * @property {number} [unit_credits]
 *
 * @typedef {object} PotEntity
 * @property {string} pot
 * @property {string} title
 * @property {string} symbol
 * @property {number} [decimals]
 * @property {number} main
 * @property {number} [added]
 * @property {number} [least]
 * @property {number} [most]
 * @property {Record<string, string>} [paytable]
 * @property {boolean} [training]
 * @property {string[]} [trains]
 * @property {Record<string, number>} [reserves]
 * @property {number} [held]
 * @property {Record<string, number>} [house]
 * @property {string} [owner]
 * @property {boolean} [up]
 * @property {number} [told]
 * @property {number} [closes]
 * @property {string[]} [percentages]
 * @property {string[]} [corrections]
 * @property {boolean} [plan_waits]
 * @property {number} [silent]
 *
 * @typedef {object} LayoutEntity
 * @property {string} name
 * @property {string[]} pots
 * @property {string} theme
 * @property {boolean} [sound]
 * @property {boolean} [reserve]
 * @property {string} [quiet]
 * @property {string} [dim]
 * @property {import("./texts.js").Language} [language]
 * @property {string} [responsible_play]
 * @property {string} [age]
 * @property {string} [resolution]
 *
 * @typedef {object} AwardEntity
 * @property {string} award
 * @property {string} table
 * @property {number} seat
 * @property {string} prize
 * @property {number} [amount]
 * @property {boolean} [confirmed]
 * @property {boolean} [overdue]
 * @property {boolean} [no_cards]
 * @property {boolean} [promo]
 * @property {number} [since]
 * @property {boolean} [waits]
 * @property {boolean} [frozen]
 * @property {number} [advanced]
 * @property {number} [due]
 * @property {string[]} [rules]
 * @property {Record<string, number>} [parts]
 * @property {number} [house]
 * @property {string[]} [entered]
 * @property {string} [by]
 * @property {string} [second]
 * @property {string} [doubted]
 * @property {string} [left]
 * @property {string} [pot]
 * @property {number} [order]
 *
 * @typedef {object} ClaimEntity
 * @property {string} claim
 * @property {string} table
 * @property {number} number
 * @property {number} since
 * @property {number} [paid]
 * @property {string} [pot]
 * @property {string} [by]
 * @property {Hand[]} [hands]
 * @property {string[]} [community]
 * @property {boolean} [prize]
 * @property {boolean} [frozen]
 * @property {boolean} [training]
 *
 * @typedef {object} AlarmEntity
 * @property {string} where
 * @property {string} rule
 * @property {string} sentence
 * @property {string} [name]
 * @property {Record<string, string>} [parts]
 *
 * @typedef {object} InquiryEntity
 * @property {string} id
 * @property {string} table
 * @property {number} percent
 *
 * @typedef {{table: string, entering: {terminal: string, number: number}[]}} NoteEntity who enters hands of which pass now
 *
 * @typedef {object} PlanEntity
 * @property {string} pot
 * @property {string} resolution
 * @property {{key: string, old: string, new: string}[]} [changes]
 * @property {boolean} [is_new]
 * @property {string} [by]
 * @property {string} [second]
 * @property {string[]} [ready]
 * @property {string[]} [missing]
 * @property {string} [above]
 *
 * @typedef {{neighbour: string, number: number, pot: string, table: string, about: string, amount: number, why: string}} DisputeEntity
 *
 * @typedef {object} ShownEntity
 * @property {string} sign
 * @property {Record<string, number>} [wrong] by pot, the amount that it shows
 * @property {string[]} [unseen]
 * @property {boolean} [silent]
 *
 * @typedef {{line: string, number: number, table: string, kind: string, seats: number[], health: "up" | "down" | "starting", why?: string, product?: string, faults?: string[]}} UnitEntity
 * @typedef {{line: string, number: number, pot: string, amount: string, second: string, prize: string, state: string, showing?: string}} SignSeenEntity
 * @typedef {{neighbour: string, side: string, up: boolean, since: number, waits?: number}} NeighbourEntity
 *
 * @typedef {object} Trouble
 * @property {string} reason
 * @property {string} [rule]
 * @property {string} [where]
 * @property {string} message
 * @property {Record<string, string>} [parts] what the sentence was filled with, by name
 *
 * @typedef {object} Reckoning
 * @property {string} pays
 * @property {number} bet
 * @property {number} [left]
 * @property {number} [of]
 * @property {number} [total]
 * @property {number} [among]
 * @property {number} [cap]
 *
 * @typedef {object} AwardPreview
 * @property {string} award
 * @property {number} seat
 * @property {string} prize
 * @property {number} amount
 * @property {string[]} [rules]
 * @property {Record<string, number>} [parts]
 * @property {number} [house]
 * @property {boolean} [waits]
 * @property {number} [handed]
 * @property {Reckoning} [reckoning]
 *
 * @typedef {{main: number, base: number, reserves?: Record<string, number>}} Levels
 *
 * @typedef {object} Preview
 * @property {string} sees
 * @property {boolean} [two]
 * @property {string} [table]
 * @property {number} [number]
 * @property {string} [pot]
 * @property {Levels} [before]
 * @property {Levels} [after]
 * @property {AwardPreview[]} [awards]
 * @property {{seat: number, reason: string}[]} [unpaid]
 * @property {string[]} [cancelled]
 * @property {{award: string, amount: number}[]} [lost]
 * @property {{claim: string, awards: {number: number, seat: number, prize: string, amount: number}[]}[]} [resettled]
 * @property {{seat: number, cash?: number, promo?: number, chips?: number}[]} [refunds]
 * @property {AwardPreview[]} [untouched]
 * @property {SeatEntity[]} [seats]
 *
 * @typedef {{kind: string} & Record<string, unknown>} Fact
 *
 * @typedef {object} Reply
 * @property {boolean} [ok]
 * @property {number} [seq]
 * @property {Fact[]} [facts]
 * @property {Trouble} [trouble]
 * @property {number} [pays]
 * @property {{seat: number, reason: string}[]} [unpaid]
 * @property {Preview} [preview]
 * @property {Fact[]} [would]
 *
 * @typedef {{person: string, name: string, roles: string[]}} Person
 *
 * @typedef {object} House
 * @property {Person[]} people
 * @property {{person: string, table: string}[]} signed_in
 * @property {{terminal: string, use: string, place: string}} terminal
 * @property {string[]} [boxes] other boxes whose floors a chief may look at
 */

export {};
