-- The libraries as user code sees them: closed where Lua's own reach the machine, bounded where they cannot be interrupted.
--
-- Gets `native`, our functions written in Rust. Those never raise: they return whether they succeeded and then the results or a
-- message, which is raised here, so that it is a plain text that begins with the place of the caller.
-- Everything used after this chunk has run is held in locals: user code may replace any global.
local native = ...

local error, type, select, tostring, tonumber = error, type, select, tostring, tonumber
local getmetatable, rawget, rawset, rawlen = getmetatable, rawget, rawset, rawlen
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

-- Most sessions never use most of the functions. Those in `late/` are loaded when the first of them is called; until then there is this
-- in their place. What they need of the libraries is in `std`, since user code may have replaced any global by then.
local std, known = {}, {}
native.std = std
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
local sticky, describe = native.sticky, native.describe
local function settle(ok, ...)
  if ok then return true, ... end
  local fault = ...
  if sticky(fault) then error("limit exceeded", 0) end
  if type(fault) == "userdata" then return false, describe(fault) end
  return false, ...
end

local pcall, xpcall = pcall, xpcall
-- For our own parts, which have to see a limit to report it.
native.xpcall, native.pcall = xpcall, pcall
function G.pcall(...) return settle(pcall(...)) end

G.xpcall = late("xpcall")
for _, name in ipairs { "create", "resume", "close", "yield", "running", "isyieldable" } do
  std[name] = coroutine[name]
  coroutine[name] = late("coroutine." .. name)
end
coroutine.wrap, coroutine.status = late("coroutine.wrap"), coroutine.status

std.load = load
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

G.collectgarbage = raising(native.collect)

-- Strings ------------------------------------------------------------------------------------------------------------------------

std.find = string.find
string.find, string.match, string.gsub = raising(native.find), raising(native.match), raising(native.gsub)
string.gmatch = late("string.gmatch")

-- Lua's own counts out how often nothing is repeated.
local rep = string.rep
function string.rep(text, n, ...)
  if text == "" and tonumber(n) then
    local separator = ...
    if separator == nil or separator == "" then return "" end
  end
  return rep(text, n, ...)
end
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

function table.concat(t, separator, from, to)
  needs_table(t, "concat")
  to = to or #t
  if type(to) == "number" and to - (tonumber(from) or 1) > MANY then error("too many elements to concatenate", 2) end
  return concat(t, separator, from or 1, to)
end

std.move = table.move
table.move, table.remove = late("table.move"), late("table.remove")

-- With a function or a metamethod to compare by, hooks end it; without one nothing does.
local sort = table.sort
function table.sort(t, ...)
  if (...) == nil and type(t) == "table" and rawlen(t) > MANY // 10 then error("too many elements to sort without a function", 2) end
  return sort(t, ...)
end

-- What code written for Lua 5.1 expects.
G.unpack = table.unpack
function table.getn(t) return #t end
function math.pow(x, y) return x ^ y end

-- Time ---------------------------------------------------------------------------------------------------------------------------

local date, time, difftime = os.date, os.time, os.difftime
local now, elapsed = native.now, native.elapsed
G.os = { difftime = difftime, clock = elapsed }
function G.os.time(...)
  if (...) == nil then return now() end
  return time(...)
end
function G.os.date(format, at) return date(format, at or now()) end

-- Output -------------------------------------------------------------------------------------------------------------------------

local write = native.write
function G.print(...)
  local parts = { ... }
  local count = select("#", ...)
  for i = 1, count do parts[i] = tostring(parts[i]) end
  parts[count] = (parts[count] or "") .. "\n"
  write(1, concat(parts, "\t", count == 0 and 0 or 1, count))
end

local file = {}
file.__index, file.__name, file.__metatable = file, "FILE*", false
local function stream(number)
  return setmetatable({ number = number }, file)
end
local function put(target, ...)
  local parts = { ... }
  for i = 1, select("#", ...) do
    local kind = type(parts[i])
    if kind ~= "string" and kind ~= "number" then
      error("bad argument #" .. i .. " to 'write' (string expected, got " .. kind .. ")", 2)
    end
  end
  write(target.number, concat(parts))
  return target
end
function file:write(...) return put(self, ...) end
function file:flush() return self end
function file:close() return true end
function file:setvbuf() return true end
file.__tostring = function() return "file" end

local out, err = stream(1), stream(2)
G.io = { stdout = out, stderr = err }
function G.io.write(...) return put(out, ...) end
function G.io.type(value) return getmetatable(value) == false and type(value) == "table" and rawget(value, "number") and "file" or nil end
function G.io.read() return nil end

-- Modules ------------------------------------------------------------------------------------------------------------------------

G.package = {
  loaded = {
    _G = G, string = string, table = table, math = math, utf8 = utf8, coroutine = coroutine, os = G.os, io = G.io,
  },
}

std.error, std.type, std.select, std.tostring, std.tonumber, std.setmetatable = error, type, select, tostring, tonumber, setmetatable
std.pcall, std.xpcall, std.settle, std.sticky, std.describe = pcall, xpcall, settle, sticky, describe
std.needs_table, std.MANY, std.rawset, std.rawlen = needs_table, MANY, rawset, rawlen
std.safe_xpcall, std.remove, std.sub = G.xpcall, table.remove, string.sub
