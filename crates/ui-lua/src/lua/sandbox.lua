-- The libraries as user code sees them: closed where Lua's own reach the machine, bounded where they cannot be interrupted.
--
-- Gets `native`, our functions written in Rust. Those never raise: they return whether they succeeded and then the results or a
-- message, which is raised here, so that it is a plain text that begins with the place of the caller.
-- Everything used after this chunk has run is held in locals: user code may replace any global.
local native = ...

local error, type, select, tonumber, rawget = error, type, select, tonumber, rawget
local concat, mathtype = table.concat, math.type
local G = _G

-- More elements than the memory limit lets a table have; what counts further is a mistake or an attack.
local MANY = 10000000

local function done(ok, ...)
  if ok then return ... end
  error((...), 2)
end

-- A function of ours as user code sees it. One shape for all of them, since each session holds its own.
local function raising(f)
  return function(...) return done(f(...)) end
end
native.raising = raising

-- Lua's own functions for the other parts, which have it as their `_ENV`: user code may have replaced any global by the time they run.
local std, known = {}, {}
native.std, native.G = std, G
for _, name in next, {
  "error", "type", "select", "tostring", "tonumber", "next", "pcall", "xpcall", "load",
  "setmetatable", "getmetatable", "rawget", "rawset", "rawlen", "rawequal",
} do
  std[name] = G[name]
end

-- Most sessions never use most of the functions. Those in `late/` are loaded when the first of them is called; until then there is this
-- in their place.
local function late(name)
  return function(...)
    local f = known[name]
    if not f then
      native.part(name)(native, known)
      f = known[name]
    end
    return f(...)
  end
end
native.late = late

-- Limits -------------------------------------------------------------------------------------------------------------------------

-- A limit that was passed ends the whole entry, so it is raised again rather than handed to whoever caught it.
local sticky = native.sticky
local function settle(ok, ...)
  if ok then return true, ... end
  local fault = ...
  if sticky(fault) then error("limit exceeded", 0) end
  if type(fault) == "userdata" then return false, native.describe(fault) end
  return false, ...
end

-- Our own parts have Lua's, since they have to see a limit to report it.
local pcall = pcall
function G.pcall(...) return settle(pcall(...)) end

G.xpcall = late("xpcall")
for _, name in next, { "create", "resume", "close", "yield", "running", "isyieldable" } do
  std[name] = coroutine[name]
  coroutine[name] = late(name)
end
coroutine.wrap = late("wrap")

G.load, G.loadstring = late("load"), late("loadstring")
G.dofile, G.loadfile, G.warn = nil, nil, nil

-- Lua runs no hooks in a finalizer, so nothing could stop one.
local setmetatable = setmetatable
function G.setmetatable(...)
  local _, meta = ...
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
    error("finalizers (`__gc`) are not available: release what you hold where you stop using it", 2)
  end
  return setmetatable(...)
end
getmetatable("").__metatable = false

G.collectgarbage = late("collectgarbage")

-- Strings ------------------------------------------------------------------------------------------------------------------------

std.find, std.sub, std.byte, std.rep = string.find, string.sub, string.byte, string.rep
for _, name in next, { "find", "match", "gsub", "gmatch", "rep" } do string[name] = late(name) end
string.dump = nil

-- Tables: in Lua where a hostile `__len` or `__index` would keep C code busy. ------------------------------------------------------

local function needs_table(t, name)
  if type(t) ~= "table" then
    error("bad argument #1 to '" .. name .. "' (table expected, got " .. (t == nil and "no value" or type(t)) .. ")", 3)
  end
end

function table.insert(t, ...)
  needs_table(t, "insert")
  local count, size = select("#", ...), #t + 1
  if count == 1 then
    t[size] = (...)
  elseif count == 2 then
    local at, value = ...
    at = mathtype(at) == "integer" and at or tonumber(at)
    if not at or at < 1 or at > size or at % 1 ~= 0 then
      error("bad argument #2 to 'insert' (position out of bounds)", 2)
    end
    for i = size, at + 1, -1 do t[i] = t[i - 1] end
    t[at] = value
  else
    error("wrong number of arguments to 'insert'", 2)
  end
end

std.concat, std.move, std.sort = concat, table.move, table.sort
for _, name in next, { "concat", "move", "remove", "sort" } do table[name] = late(name) end

-- What code written for Lua 5.1 expects.
G.unpack = table.unpack
function table.getn(t) return #t end
function math.pow(x, y) return x ^ y end

-- Time and output -----------------------------------------------------------------------------------------------------------------

std.date, std.time = os.date, os.time
G.os = { difftime = os.difftime, clock = late("clock"), time = late("time"), date = late("date") }

G.print = late("print")
local file = { __index = late("file"), __tostring = late("file_text"), __name = "FILE*", __metatable = false }
std.out = setmetatable({ number = 1 }, file)
G.io = { stdout = std.out, stderr = setmetatable({ number = 2 }, file) }
G.io.write, G.io.read, G.io.type = late("write"), late("read"), late("io_type")

-- Modules ------------------------------------------------------------------------------------------------------------------------

G.package = {
  loaded = {
    _G = G, string = string, table = table, math = math, utf8 = utf8, coroutine = coroutine, os = G.os, io = G.io,
  },
}

std.settle, std.sticky, std.needs_table, std.MANY = settle, sticky, needs_table, MANY
std.safe_xpcall, std.remove, std.sort_names = G.xpcall, table.remove, table.sort
