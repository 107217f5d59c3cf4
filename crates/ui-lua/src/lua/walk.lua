-- Change detection: the variables of a session, and one walk over all of them.
--
-- The hot path of every click. Variables lie in flat arrays indexed by slot (the engine's, plus 1); a walk goes over `order`
-- inside one `xpcall`, which starts again behind a variable whose reading failed. `scan` (`scan.rs`) passes over what is surely the same as
-- the last time; the rest is read here, and what is new goes through `take`. User code runs only in `__index`, getters and wrappers:
-- values are compared raw, and never two tables by `==`, which could run their `__eq`.
local native, core = ...

local type, rawequal, rawlen, rawget, error, next = type, rawequal, rawlen, rawget, error, next
local setmetatable, tostring, select = setmetatable, tostring, select
local xpcall, sticky, late = native.std.xpcall, native.sticky, native.late
local id_of, type_of, is_array, held = core.id_of, core.type_of, core.is_array, core.held
local INFINITY = 1 / 0

-- How a variable is read. The first three are paths of one step.
local NONE <const>, FIELD <const>, INDEX <const>, CALL <const>, STEPS <const>, HELD <const> = 0, 1, 2, 3, 4, 5
-- Steps of a path, as the engine sends them.
local TO_FIELD <const>, TO_INDEX <const>, TO_CALL <const>, TO_UP <const>, TO_APP <const> = 1, 2, 3, 5, 6

-- What `raw` holds where it holds no value. Functions, since comparing them with anything runs no code; any that user code never sees.
local NEVER, TABLE, FAILED = native.lay, native.new_scan, native.sticky

-- For each slot, what the engine placed.
local var, parent, live, priority, kids, pos = {}, {}, {}, {}, {}, {}
local op, key, steps, props = {}, {}, {}, {}
local wrapper_name, item_name, create_name = {}, {}, {}
-- For each slot, what was last read: the scalar or a marker, and the table.
local raw, kept, tab = {}, {}, {}
-- For `scan`: what a variable reads as while it is the same (`NEVER` where that has to be looked at each time), and the elements of
-- an array, with their number at -1 and at 0 how many of them are not nil.
local seen, elements = {}, {}
-- Where children start (a table or nil), what was reported, the wrapper, the hidden list of `itemWrapper`, `create`.
local nav, wire, type_name, fault = {}, {}, {}, {}
local wrapper, list, made, made_from = {}, {}, {}, {}

-- Paths of several steps are shared between the variables that have them.
local paths = setmetatable({}, { __mode = "v" })

-- Reports: slot, what, payload, type; again and again.
local out, filled = {}, 0
local PLAIN, OBJECT, ARRAY, ERROR, SAME = 0, 1, 2, 3, 4
local again = false

local function report(s, what, payload, name)
  out[filled + 1], out[filled + 2], out[filled + 3], out[filled + 4] = s - 1, what, payload, name or false
  filled = filled + 4
end

-- Wrappers and what `create` makes (`late/wrappers.lua`). The first two answer whether the walk has to be repeated.
local refresh, refresh_list, make = late("refresh"), late("refresh_list"), late("make")
local handles = {}
core.release = late("release")
function core.slots()
  return var, raw, tab, TABLE, NEVER, type_name, props, wrapper, wrapper_name, item_name, list, create_name, made, made_from, handles
end

-- Reading --------------------------------------------------------------------------------------------------------------------------

local function call(base, name)
  local method = base[name]
  if method == nil then
    error({ code = "not-found", text = "no method `" .. name .. "` in " .. (type_of(base) or "the object") })
  end
  return method(base)
end

-- The element of a list that a variable's first step names: its presenter, if the list has them.
local function element(p, at)
  local own = list[p]
  if own then
    local item = own.items[at]
    return item and item.item
  end
  local base = nav[p]
  return base and base[at]
end

local function follow(s, path, count)
  local p = parent[s]
  local up, base = p, nav[p]
  for i = 1, count do
    local what, name = path[2 * i - 1], path[2 * i]
    if what == TO_UP then
      up = parent[up] or 0
      base = nav[up]
    elseif what == TO_APP then
      base = nav[1]
    elseif i == 1 and what == TO_INDEX then
      base = element(p, name)
    elseif type(base) ~= "table" then
      base = nil
    elseif what == TO_CALL then
      base = call(base, name)
    else
      base = base[name]
    end
  end
  return base
end

local function evaluate(s, how)
  local value
  if how == CALL then
    local base = nav[parent[s]]
    if base then value = call(base, key[s]) end
  elseif how == INDEX then
    value = element(parent[s], key[s])
  elseif how == FIELD then
    local base = nav[parent[s]]
    if base then value = base[key[s]] end
  elseif how == HELD then
    value = held[var[s]]
  else
    local path = steps[s]
    value = follow(s, path, #path // 2)
  end
  if create_name[s] then return make(s, value) end
  return value
end

-- Whether something is shown as null because JSON has no word for it.
local function is_hidden(value)
  local kind = type(value)
  if kind == "number" then return value ~= value or value == INFINITY or value == -INFINITY end
  return kind ~= "table" and kind ~= "string" and kind ~= "boolean"
end

-- Whether an array shows the elements that were kept of it.
local function same_elements(old, array)
  local count = rawlen(array)
  if old[-1] ~= count then return false end
  for i = 1, count do
    local value, before = rawget(array, i), old[i]
    if not rawequal(value, before) and not (is_hidden(value) and is_hidden(before)) then return false end
  end
  return true
end

-- Elements are vended their ids when they are first seen, before a wrapper is made for them.
local function copy_elements(array)
  local count, filled, copy = rawlen(array), 0, {}
  for i = 1, count do
    local value = rawget(array, i)
    if type(value) == "table" then id_of(value) end
    if value ~= nil then filled = filled + 1 end
    copy[i] = value
  end
  copy[0], copy[-1] = filled, count
  return copy
end

-- For the report: the ids of those elements that are tables, and the others.
local function wire_elements(copy)
  local ids, values = { n = copy[-1] }, {}
  for i = 1, copy[-1] do
    local value = copy[i]
    if type(value) == "table" then
      ids[i] = id_of(value)
    elseif not is_hidden(value) then
      values[i] = value
    end
  end
  return { ids, values }
end

-- Takes in what a variable was read as, when that may be something new.
local function take(s, value)
  if is_hidden(value) then value = nil end
  local kind = type(value)
  local last, failed = raw[s], false
  if last == FAILED then last, failed = kept[s], true end
  local first = last == NEVER

  local name, array, same, copy
  if kind == "table" then
    name = type_of(value)
    array = not name and is_array(value)
    if array then
      -- Of an array only the elements count on the wire, but children and wrappers need the table itself.
      copy = elements[s]
      same = last == TABLE and copy and same_elements(copy, value)
      if not same then copy = copy_elements(value) end
    else
      same = last == TABLE and not elements[s] and rawequal(tab[s], value)
    end
  else
    same = value == last
  end
  local moved = not same or (array and not rawequal(tab[s], value))

  local shown = wrapper[s]
  if moved and (wrapper_name[s] or item_name[s]) then
    local changed
    if wrapper_name[s] then
      changed, shown = refresh(s, value)
    else
      changed = refresh_list(s, value)
    end
    again = again or changed
  end

  -- Nothing fails from here on.
  if kind == "table" then
    raw[s], tab[s] = TABLE, value
  else
    raw[s], tab[s] = value, nil
  end
  seen[s], elements[s] = value, copy
  if wrapper_name[s] then
    nav[s] = shown
  else
    nav[s] = tab[s]
  end
  fault[s], kept[s] = nil, nil

  if shown then
    local id = id_of(shown)
    name = type_of(shown)
    if first or wire[s] ~= id then
      report(s, OBJECT, id, name)
    elseif failed or type_name[s] ~= name then
      report(s, SAME, false, name)
    end
    wire[s] = id
  elseif first or not same or wire[s] then
    if array then
      report(s, ARRAY, wire_elements(copy), nil)
    elseif kind == "table" then
      report(s, OBJECT, id_of(value), name)
    else
      report(s, PLAIN, value, nil)
    end
    wire[s] = nil
  elseif failed or type_name[s] ~= name then
    report(s, SAME, false, name)
  end
  type_name[s] = name
end

local function fail(s, code, text, trace)
  if raw[s] ~= FAILED then kept[s], raw[s] = raw[s], FAILED end
  seen[s] = NEVER
  if fault[s] ~= text then
    fault[s] = text
    report(s, ERROR, { code, text, trace }, nil)
  end
end

-- The walk -------------------------------------------------------------------------------------------------------------------------

local order, plan = {}, nil  -- slots in the order in which they are read; the same for `scan`
local stale = true           -- whether they have to be made anew
local at = 0                 -- the variable being read, as an index into `order`
local scan = native.new_scan(nav, seen, key, type_name, elements, steps)

-- Whether something below does not start from its parent.
local escapes = {}

-- How `scan` reads a variable. What it does not know, it leaves to us.
local function how_to_scan(s)
  local how = op[s]
  if create_name[s] then return HELD end
  if how == STEPS then
    local path = steps[s]
    for i = 1, #path, 2 do
      if path[i] ~= TO_FIELD and path[i] ~= TO_INDEX then return HELD end
    end
    if path[1] == TO_FIELD then return STEPS end
  elseif how ~= INDEX then
    return how
  end
  -- Its parent may show presenters in the place of its elements.
  return item_name[parent[s]] and HELD or how
end

local function lay(p, count, hows, skip)
  local own = kids[p]
  if not own then return false, count end
  local holes, mixed, first = false, false, nil
  for i = 1, own.n do
    local s = own[i]
    if not s then
      holes = true
    else
      first = first or priority[s]
      if priority[s] ~= first then mixed = true end
    end
  end
  if holes then
    local n = 0
    for i = 1, own.n do
      local s = own[i]
      if s then
        n = n + 1
        own[n], pos[s] = s, n
      end
    end
    for i = n + 1, own.n do own[i] = nil end
    own.n = n
  end
  local free = false
  for turn = 1, mixed and 3 or 1 do
    for i = 1, own.n do
      local s = own[i]
      if live[s] and (not mixed or priority[s] == turn) then
        count = count + 1
        local here, below = count, false
        order[here], hows[here] = s, how_to_scan(s)
        below, count = lay(s, count, hows, skip)
        skip[here] = count > here and not below and count or 0
        free = free or below or escapes[s]
      end
    end
  end
  return free, count
end

local function arrange()
  local hows, skip = {}, {}
  order = {}
  local _, count = lay(0, 0, hows, skip)
  plan = native.lay(count, order, hows, parent, key, skip)
  stale = false
end

-- Reads what has to be read behind the variable at `from`.
local function pass(from)
  local i = scan(plan, from)
  while i do
    at = i
    local s = order[i]
    local value = evaluate(s, op[s])
    if value ~= raw[s] then take(s, value) end
    i = scan(plan, i)
  end
  at = 0
end

local function caught(what)
  if type(what) == "table" then
    local code, text = rawget(what, "code"), rawget(what, "text")
    if code == "not-found" and type(text) == "string" then return { code, text, "" } end
  end
  local text, trace = core.explain(what)
  return { "lua-error", text, trace }
end

-- Walks, from the start or (`code`) behind the variable at which a limit ended the last attempt.
function core.walk(code, text)
  local from = 0
  if code and at > 0 then
    from = at
    if order[at] then fail(order[at], code, text, "") end
  else
    if stale then arrange() end
    again = false
  end
  while true do
    local ok, problem = xpcall(pass, caught, from)
    if ok then break end
    if type(problem) ~= "table" then problem = { "lua-error", tostring(problem), "" } end
    if sticky(problem[2]) then error("limit exceeded", 0) end
    fail(order[at], problem[1], problem[2], problem[3])
    from = at
  end
  local result, size = out, filled
  if size > 0 then out, filled = {}, 0 end
  return result, size, again
end

function core.current_variable()
  return at > 0 and order[at] and var[order[at]] or nil
end

-- The plan -------------------------------------------------------------------------------------------------------------------------

local function clear(s)
  raw[s], kept[s], tab[s], seen[s], elements[s] = NEVER, nil, nil, NEVER, nil
  nav[s], wire[s], type_name[s], fault[s], list[s], made[s], made_from[s] = nil, nil, nil, nil, nil, nil, nil
end

-- Answers a wrapper that is done with, like `remove`: releasing it runs user code, these two do not.
function core.place(s, id, above, how, reads, turn, wraps, items, creates, text, ...)
  local old = wrapper[s]
  if old and wrapper_name[s] ~= wraps then
    wrapper[s] = nil
  else
    old = nil
  end
  if var[s] ~= id then
    var[s], live[s], props[s] = id, false, nil
    local own = kids[above]
    if not own then
      own = { n = 0 }
      kids[above] = own
    end
    own.n = own.n + 1
    own[own.n], pos[s] = s, own.n
  end
  parent[s], priority[s] = above, turn
  wrapper_name[s], item_name[s], create_name[s] = wraps, items, creates
  clear(s)
  if wrapper[s] then nav[s] = wrapper[s] end
  steps[s], key[s], escapes[s] = nil, nil, how == HELD
  if how == STEPS then
    local first, name, more = ...
    for i = 1, select("#", ...), 2 do
      local what = select(i, ...)
      if what == TO_UP or what == TO_APP then escapes[s] = true end
    end
    if more == nil and first == TO_FIELD then
      how, key[s] = FIELD, name
    elseif more == nil and first == TO_INDEX then
      how, key[s] = INDEX, name
    elseif more == nil and first == TO_CALL then
      how, key[s] = CALL, name
    end
    local path = paths[text]
    if not path then
      path = { ... }
      paths[text] = path
    end
    steps[s] = path
  end
  -- `create`, and reading as such, are matters of `evaluate`.
  if not reads then
    how = NONE
  elseif how == FIELD and creates then
    how = STEPS
  end
  op[s] = how
  stale = true
  return old
end

function core.property(s, name, value)
  local own = props[s]
  if not own then
    own = {}
    props[s] = own
  end
  own[name] = value ~= "" and value or nil
end

function core.live(s, flag)
  if live[s] ~= flag then
    live[s], stale = flag, true
  end
end

function core.remove(s)
  local old = wrapper[s]
  wrapper[s] = nil
  clear(s)
  local own = kids[parent[s]]
  if own and own[pos[s]] == s then own[pos[s]] = false end
  local id = var[s]
  if id and id ~= 1 then held[id] = nil end
  if handles[s] then
    handles[s].slot = 0
    handles[s] = nil
  end
  var[s], kids[s], live[s], op[s], key[s], steps[s], props[s], escapes[s] = nil, nil, nil, nil, nil, nil, nil, nil
  stale = true
  return old
end

function core.refuse(id) held[id] = nil end

-- Writing --------------------------------------------------------------------------------------------------------------------------

-- Reads an ancestor that no walk has read; what it is will be reported by the next.
local function ensure(s)
  if s == 0 or op[s] == nil or op[s] == NONE then return end
  if raw[s] == NEVER then
    ensure(parent[s])
    take(s, evaluate(s, op[s]))
  end
end

-- `how`: 1 assigns, 2 calls with the value, 3 calls without. Answers a code and a text if it cannot be done.
function core.write(s, how, value)
  local path = steps[s]
  if not path then
    held[var[s]] = value
    return
  end
  ensure(parent[s])
  local last = #path // 2
  local what, name = path[2 * last - 1], path[2 * last]
  local base
  if last == 1 then base = nav[parent[s]] else base = follow(s, path, last - 1) end
  if type(base) ~= "table" then return "path-failure", type(base) end
  if how == 1 then
    if what ~= TO_FIELD and what ~= TO_INDEX then return "bad-access", "" end
    base[name] = value
    return
  end
  local method = base[name]
  if method == nil then return "not-found", type_of(base) or "" end
  if how == 2 then method(base, value) else method(base) end
end
