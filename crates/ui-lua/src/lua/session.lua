-- `session`: prototypes, the root, `require` and the running of files. What is used less is in `late/session.lua`.
local native, core = ...

local G, loaded, late = native.G, package.loaded, native.late
local _ENV <const> = native.std
local prototypes = core.prototypes

local session = { reloading = false }
G.session = session

-- `EMPTY` declares a field that starts nil.
local EMPTY = setmetatable({}, {
  __tostring = function() return "EMPTY" end,
  __newindex = function() error("`EMPTY` cannot be changed", 2) end,
  __metatable = false,
})
G.EMPTY, core.EMPTY = EMPTY, EMPTY

local function expect(ok, message)
  if not ok then error(message, 3) end
end

-- Prototypes -----------------------------------------------------------------------------------------------------------------------

local declared = {}   -- prototype -> deep copy of the `init` it was last declared with
local instances = {}  -- prototype -> weak set of its instances
local origin = {}     -- name of a prototype -> file that declared it
core.queue = {}       -- prototypes to mutate after the file has run: { prototype, removed fields }
local running         -- the file that runs
core.declared, core.instances, core.origin = declared, instances, origin
local show, redeclare, mutate = late("show"), late("redeclare"), late("mutate")

local function copy(value, seen)
  if type(value) ~= "table" or rawequal(value, EMPTY) then return value end
  seen = seen or {}
  if seen[value] then return seen[value] end
  local result = {}
  seen[value] = result
  for key, inner in next, value do result[key] = copy(inner, seen) end
  return result
end

core.copy = copy

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
    if init and not rawequal(init, prototype) then redeclare(prototype, init) end
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

session.removePrototype, core.prototype = late("removePrototype"), session.prototype

-- After a file has run: what was declared anew reaches the instances that live.
function core.mutate(report)
  if next(core.queue) ~= nil then mutate(report) end
end

-- Timers ---------------------------------------------------------------------------------------------------------------------------

core.fire = late("fire")
for _, name in next, { "setImmediate", "setTimeout", "setInterval" } do session[name] = late(name) end
session.clearTimeout = late("clearTimeout")
session.clearImmediate, session.clearInterval = session.clearTimeout, session.clearTimeout

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
  if list[2] then sort_names(list) end
  local flat = {}
  for _, name in next, list do
    flat[#flat + 1] = name
    flat[#flat + 1] = tostring(props[name])
  end
  return flat
end

core.properties, core.expect = properties, expect

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

session.createVariable, session.destroyVariable = late("createVariable"), late("destroyVariable")

-- Log ------------------------------------------------------------------------------------------------------------------------------

function core.log(level, text)
  if text == nil then level, text = "info", level end
  native.log(tostring(level), tostring(text))
end
function session:log(...) return core.log(...) end

-- Files ----------------------------------------------------------------------------------------------------------------------------

local files = {}  -- file -> name by which it was required, or true
core.files, core.loaded = files, loaded

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

session.unloadModule, session.unloadDirectory = late("unloadModule"), late("unloadDirectory")
