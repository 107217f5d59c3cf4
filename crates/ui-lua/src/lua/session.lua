-- `session`: prototypes with hot reload, timers, variables that Lua makes; `require` and the running of files.
local native, core = ...

local error, type, next, select, tostring = error, type, next, select, tostring
local setmetatable, getmetatable, rawget, rawset, rawequal, load = setmetatable, getmetatable, rawget, rawset, rawequal, load
local pcall, xpcall, find, sub, sort = pcall, xpcall, string.find, string.sub, table.sort
local G, loaded = _G, package.loaded
local prototypes = core.prototypes

local session = { reloading = false }
G.session = session

-- `EMPTY` declares a field that starts nil.
local EMPTY = setmetatable({}, {
  __tostring = function() return "EMPTY" end,
  __newindex = function() error("`EMPTY` cannot be changed", 2) end,
  __metatable = false,
})
G.EMPTY = EMPTY

local function expect(ok, message)
  if not ok then error(message, 3) end
end

-- Prototypes -----------------------------------------------------------------------------------------------------------------------

local declared = {}   -- prototype -> deep copy of the `init` it was last declared with
local instances = {}  -- prototype -> weak set of its instances
local origin = {}     -- name of a prototype -> file that declared it
local queue = {}      -- prototypes to mutate after the file has run: { prototype, removed fields }
local running         -- the file that runs
core.declared, core.instances = declared, instances

local function copy(value, seen)
  if type(value) ~= "table" or rawequal(value, EMPTY) then return value end
  seen = seen or {}
  if seen[value] then return seen[value] end
  local result = {}
  seen[value] = result
  for key, inner in next, value do result[key] = copy(inner, seen) end
  return result
end

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

local function show(instance)
  local method = instance.tostring
  if type(method) == "function" then return method(instance) end
  local name = core.type_of(instance) or "table"
  return (find("AEIOUaeiou", sub(name, 1, 1), 1, true) and "an " or "a ") .. name
end

local function assign(prototype, init)
  for key, value in next, init do
    if rawequal(value, EMPTY) then rawset(prototype, key, nil) else rawset(prototype, key, value) end
  end
end

local function create(_, prototype, instance)
  expect(type(prototype) == "table", "`session:create` needs a prototype, got " .. type(prototype))
  expect(instance == nil or type(instance) == "table", "`session:create` makes a table an instance, got " .. type(instance))
  instance = instance or {}
  expect(rawget(prototype, "__gc") == nil, "finalizers (`__gc`) are not available")
  if rawget(prototype, "__index") == nil then rawset(prototype, "__index", prototype) end
  setmetatable(instance, prototype)
  local set = instances[prototype]
  if not set then
    set = setmetatable({}, { __mode = "k" })
    instances[prototype] = set
  end
  set[instance] = true
  return instance
end
session.create, core.create = create, create

local function new(prototype, instance) return create(session, prototype, instance) end

function session:prototype(name, init, base)
  expect(type(name) == "string" and name ~= "", "a prototype needs a name")
  expect(init == nil or type(init) == "table", "the fields of prototype `" .. name .. "` must be a table")
  if type(base) == "string" then
    expect(prototypes[base], "no prototype `" .. base .. "` to base `" .. name .. "` on")
    base = prototypes[base]
  end
  expect(base == nil or type(base) == "table", "the base of prototype `" .. name .. "` must be a prototype")
  local prototype = prototypes[name]
  if prototype then
    local before = declared[prototype]
    if init and not rawequal(init, prototype) then
      if not same(before, init, {}) then
        local removed = {}
        for key in next, before do
          if rawget(init, key) == nil then
            rawset(prototype, key, nil)
            removed[#removed + 1] = key
          end
        end
        queue[#queue + 1] = { prototype, removed }
        declared[prototype] = copy(init)
      end
      assign(prototype, init)
    end
    if base then setmetatable(prototype, base) end
    if init and running then origin[name] = running end
    return prototype
  end
  prototype = init or {}
  local fields = copy(prototype)
  declared[prototype] = fields
  for key, value in next, fields do
    if rawequal(value, EMPTY) then rawset(prototype, key, nil) end
  end
  rawset(prototype, "type", name)
  rawset(prototype, "__index", prototype)
  if rawget(prototype, "__tostring") == nil then rawset(prototype, "__tostring", show) end
  base = base or prototypes.Object
  if base then setmetatable(prototype, base) end
  if prototype.new == nil then rawset(prototype, "new", new) end
  prototypes[name], origin[name] = prototype, running
  return prototype
end

local function forget(name)
  local prototype = prototypes[name]
  if prototype then
    prototypes[name], origin[name], declared[prototype], instances[prototype] = nil, nil, nil, nil
  end
end

function session:removePrototype(name, children)
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

-- After a file has run: what was declared anew reaches the instances that live.
function core.mutate(report)
  local todo = queue
  queue = {}
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

local timers = {}
local function timer(name, repeats)
  return function(_, f, ms)
    expect(type(f) == "function", "`session:" .. name .. "` needs a function, got " .. type(f))
    expect(ms == nil or type(ms) == "number", "`session:" .. name .. "` needs a number of milliseconds, got " .. type(ms))
    local handle, message = native.timer(ms or 0, repeats)
    expect(handle, message)
    timers[handle] = f
    return handle
  end
end
local function clear(_, handle)
  if type(handle) == "number" then
    timers[handle] = nil
    native.clear_timer(handle)
  end
end
session.setImmediate, session.setTimeout = timer("setImmediate", false), timer("setTimeout", false)
session.setInterval = timer("setInterval", true)
session.clearImmediate, session.clearTimeout, session.clearInterval = clear, clear, clear

function core.fire(handle, again)
  local f = timers[handle]
  if not again then timers[handle] = nil end
  if f then f() end
end

-- Variables ------------------------------------------------------------------------------------------------------------------------

local held = {}  -- variable id -> object; the root is 1
core.held = held

local function properties(props)
  local list = {}
  for name, value in next, props or {} do
    if type(name) == "string" then
      list[#list + 1] = name
    end
  end
  sort(list)
  local flat = {}
  for _, name in next, list do
    flat[#flat + 1] = name
    flat[#flat + 1] = tostring(props[name])
  end
  return flat
end

function session:createAppVariable(object, props)
  expect(type(object) == "table", "`session:createAppVariable` needs a table, got " .. type(object))
  expect(props == nil or type(props) == "table", "the properties of a variable must be a table")
  held[1], core.has_app = object, true
  native.request_root(properties(props))
  return 1
end

function session:getApp()
  if not core.has_app then return nil end
  return held[1]
end

local function variable_id(which)
  if type(which) == "number" then return which end
  for id, object in next, held do
    if rawequal(object, which) then return id end
  end
  return core.variable_showing(which)
end

local next_variable = -1
function session:createVariable(parent, object, props)
  expect(type(object) == "table", "`session:createVariable` needs a table, got " .. type(object))
  expect(props == nil or type(props) == "table", "the properties of a variable must be a table")
  local above = variable_id(parent)
  expect(above, "`session:createVariable` needs the id of a variable or an object that one shows")
  local id = next_variable
  next_variable = id - 1
  held[id] = object
  native.request_create(id, above, properties(props))
  return id
end

function session:destroyVariable(which)
  local id = variable_id(which)
  if id then native.request_destroy(id) end
end

-- Log ------------------------------------------------------------------------------------------------------------------------------

function core.log(level, text)
  if text == nil then level, text = "info", level end
  native.log(tostring(level), tostring(text))
end
function session:log(...) return core.log(...) end

-- Files ----------------------------------------------------------------------------------------------------------------------------

local files = {}  -- file -> name by which it was required, or true
core.files = files

local leave = { __close = function(state, fault)
  running = state.before
  if fault ~= nil and state.undo then state.undo() end
end }

-- Runs a compiled file. Errors go through, with their traceback.
local function run(f, file, undo, ...)
  local state <close> = setmetatable({ before = running, undo = undo }, leave)
  running = file
  return f(...)
end

function G.require(name)
  expect(type(name) == "string", "bad argument #1 to 'require' (string expected, got " .. type(name) .. ")")
  local module = loaded[name]
  if module ~= nil then return module end
  local file, text = native.module(name)
  if not file then error(text, 2) end
  local f, message = load(text, "@" .. file, "t")
  if not f then error(message, 0) end
  -- Marked first, so that modules may require each other; unmarked on error, so that a retry is possible.
  loaded[name], files[file] = true, name
  local result = run(f, file, function() loaded[name], files[file] = nil, nil end, name, file)
  if result ~= nil then loaded[name] = result end
  return loaded[name]
end

-- Runs the text of a file that is no module: `main.lua`, or a file that changed.
function core.run_file(file, text, again)
  local f, message = load(text, "@" .. file, "t")
  if not f then error(message, 0) end
  local name = files[file]
  files[file] = name or true
  if again then session.reloading = true end
  local state <close> = setmetatable({}, { __close = function() if again then session.reloading = false end end })
  local result = run(f, file, nil)
  if type(name) == "string" and result ~= nil then loaded[name] = result end
end

local function unload(file)
  local name = files[file]
  files[file] = nil
  if type(name) == "string" then loaded[name] = nil end
  for prototype, declared_by in next, copy(origin) do
    if declared_by == file then forget(prototype) end
  end
end

function session:unloadModule(name)
  for file, known in next, copy(files) do
    if known == name or file == name then unload(file) end
  end
end

function session:unloadDirectory(directory)
  if sub(directory, -1) ~= "/" then directory = directory .. "/" end
  for file in next, copy(files) do
    if sub(file, 1, #directory) == directory then unload(file) end
  end
end
