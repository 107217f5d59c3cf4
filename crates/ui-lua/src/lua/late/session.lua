-- What few sessions do with `session`: reloading, timers, variables that Lua makes; see `late` in `sandbox.lua`.
local native, known = ...

local core = native.core
local _ENV <const> = native.std
local xpcall = safe_xpcall
local prototypes, declared, instances, origin, held = core.prototypes, core.declared, core.instances, core.origin, core.held
local EMPTY, copy, expect, properties = core.EMPTY, core.copy, core.expect, core.properties

-- Prototypes -----------------------------------------------------------------------------------------------------------------------

-- Functions count as equal: each run of a file makes new ones, and they are copied anyway.
local function same(a, b, seen)
  if rawequal(a, b) then return true end
  local kind = type(a)
  if kind ~= type(b) then return false end
  if kind == "function" then return true end
  if kind ~= "table" then return a == b end
  if rawequal(a, EMPTY) or rawequal(b, EMPTY) then return false end
  if rawequal(seen[a], b) then return true end
  seen[a] = b
  for key, value in next, a do
    if not same(value, rawget(b, key), seen) then return false end
  end
  for key in next, b do
    if rawget(a, key) == nil then return false end
  end
  return true
end

local function assign(prototype, init)
  for key, value in next, init do
    if rawequal(value, EMPTY) then rawset(prototype, key, nil) else rawset(prototype, key, value) end
  end
end

-- A prototype is declared again: those that live are mutated after the file has run, if something is different.
function known.redeclare(prototype, init)
  local before = declared[prototype]
  if not same(before, init, {}) then
    local removed = {}
    for key in next, before do
      if rawget(init, key) == nil then
        rawset(prototype, key, nil)
        removed[#removed + 1] = key
      end
    end
    core.queue[#core.queue + 1] = { prototype, removed }
    declared[prototype] = copy(init)
  end
  assign(prototype, init)
end

function known.show(instance)
  local method = instance.tostring
  if type(method) == "function" then return method(instance) end
  local name = core.type_of(instance) or "table"
  return (find("AEIOUaeiou", sub(name, 1, 1), 1, true) and "an " or "a ") .. name
end

local function forget(name)
  local prototype = prototypes[name]
  if prototype then
    prototypes[name], origin[name], declared[prototype], instances[prototype] = nil, nil, nil, nil
  end
end

function known.removePrototype(_, name, children)
  forget(name)
  if children then
    local prefix = name .. "."
    local names = {}
    for other in next, prototypes do names[#names + 1] = other end
    for _, other in next, names do
      if sub(other, 1, #prefix) == prefix then forget(other) end
    end
  end
end

function known.mutate(report)
  local todo = core.queue
  core.queue = {}
  for _, entry in next, todo do
    local prototype, removed = entry[1], entry[2]
    local living = {}
    for instance in next, instances[prototype] or {} do living[#living + 1] = instance end
    for _, instance in next, living do
      xpcall(function()
        local mutate = instance.mutate
        if mutate then mutate(instance) end
      end, report)
      for _, key in next, removed do rawset(instance, key, nil) end
    end
  end
end

-- Timers ---------------------------------------------------------------------------------------------------------------------------

local timers = core.timers or {}
core.timers = timers
local function timer(name, repeats)
  known[name] = function(_, f, ms)
    expect(type(f) == "function", "`session:" .. name .. "` needs a function, got " .. type(f))
    expect(ms == nil or type(ms) == "number", "`session:" .. name .. "` needs a number of milliseconds, got " .. type(ms))
    local handle, message = native.timer(ms or 0, repeats)
    expect(handle, message)
    timers[handle] = f
    return handle
  end
end
function known.clearTimeout(_, handle)
  if type(handle) == "number" then
    timers[handle] = nil
    native.clear_timer(handle)
  end
end
timer("setImmediate", false)
timer("setTimeout", false)
timer("setInterval", true)

function known.fire(handle, again)
  local f = timers[handle]
  if not again then timers[handle] = nil end
  if f then f() end
end

-- Variables ------------------------------------------------------------------------------------------------------------------------

local var, _, tab, _, _, _, _, wrapper = core.slots()

local function variable_showing(object)
  for s, shown in next, tab do
    if rawequal(shown, object) then return var[s] end
  end
  for s, shown in next, wrapper do
    if rawequal(shown, object) then return var[s] end
  end
end

local function variable_id(which)
  if type(which) == "number" then return which end
  for id, object in next, held do
    if rawequal(object, which) then return id end
  end
  return variable_showing(which)
end

core.next_variable = core.next_variable or -1
function known.createVariable(_, parent, object, props)
  expect(type(object) == "table", "`session:createVariable` needs a table, got " .. type(object))
  expect(props == nil or type(props) == "table", "the properties of a variable must be a table")
  local above = variable_id(parent)
  expect(above, "`session:createVariable` needs the id of a variable or an object that one shows")
  local id = core.next_variable
  core.next_variable = id - 1
  held[id] = object
  native.request_create(id, above, properties(props))
  return id
end

function known.destroyVariable(_, which)
  local id = variable_id(which)
  if id then native.request_destroy(id) end
end

-- Files ----------------------------------------------------------------------------------------------------------------------------

local files, loaded = core.files, core.loaded

local function unload(file)
  local name = files[file]
  files[file] = nil
  if type(name) == "string" then loaded[name] = nil end
  for prototype, declared_by in next, copy(origin) do
    if declared_by == file then forget(prototype) end
  end
end

function known.unloadModule(_, name)
  for file, known in next, copy(files) do
    if known == name or file == name then unload(file) end
  end
end

function known.unloadDirectory(_, directory)
  if sub(directory, -1) ~= "/" then directory = directory .. "/" end
  for file in next, copy(files) do
    if sub(file, 1, #directory) == directory then unload(file) end
  end
end
