//! How functions of the language are called, where most databases agree; a dialect overrides the rest.
//!
//! The signatures are in `malloy-model`, which has chosen the overload; here is only the spelling.

use malloy_model::ir::Function;

/// The call in the words of most databases: arguments are `{0}`, `{1}`; `{*}` is all of them.
pub(crate) fn common(function: Function, arguments: usize) -> &'static str {
    match function {
        Function::Ascii => "ASCII({0})",
        Function::ByteLength => "OCTET_LENGTH({0})",
        Function::Chr => "CASE WHEN {0} = 0 THEN '' ELSE CHR({0}) END",
        Function::Concat if arguments == 0 => "''",
        Function::Concat => "CONCAT({*})",
        Function::EndsWith => "COALESCE(RIGHT({0}, LENGTH({1})) = {1}, false)",
        Function::Length => "LENGTH({0})",
        Function::Lower => "LOWER({0})",
        Function::Ltrim => "LTRIM({0})",
        Function::LtrimChars => "LTRIM({0}, {1})",
        Function::RegexpExtract => "REGEXP_EXTRACT({0}, {1})",
        Function::Repeat => "REPEAT({0}, {1})",
        Function::Replace => "REPLACE({0}, {1}, {2})",
        Function::ReplaceRegex => "REGEXP_REPLACE({0}, {1}, {2}, 'g')",
        Function::Reverse => "REVERSE({0})",
        Function::Rtrim => "RTRIM({0})",
        Function::RtrimChars => "RTRIM({0}, {1})",
        Function::StartsWith => "COALESCE(STARTS_WITH({0}, {1}), false)",
        Function::Strpos => "STRPOS({0}, {1})",
        Function::Substr if arguments == 2 => "SUBSTR({0}, {1})",
        Function::Substr => "SUBSTR({0}, {1}, {2})",
        Function::Trim => "TRIM({0})",
        Function::TrimChars => "TRIM({0}, {1})",
        Function::Unicode => "CASE WHEN {0} = '' THEN 0 ELSE UNICODE({0}) END",
        Function::Upper => "UPPER({0})",

        Function::Abs => "ABS({0})",
        Function::Acos => "ACOS({0})",
        Function::Asin => "ASIN({0})",
        Function::Atan => "ATAN({0})",
        Function::Atan2 => "ATAN2({0}, {1})",
        Function::Ceil => "CEIL({0})",
        Function::Cos => "COS({0})",
        Function::Div => "TRUNC({0} / {1})",
        Function::Exp => "EXP({0})",
        Function::Floor => "FLOOR({0})",
        Function::IsInf => "COALESCE(ISINF({0}), false)",
        Function::IsNan => "COALESCE(ISNAN({0}), false)",
        Function::Ln => "LN({0})",
        Function::Log => "(LN({0}) / LN({1}))",
        Function::Pi => "PI()",
        Function::Pow => "POWER({0}, {1})",
        Function::Rand => "RANDOM()",
        Function::Round => "ROUND({0})",
        Function::RoundTo => "ROUND({0}, {1})",
        Function::Sign => "SIGN({0})",
        Function::Sin => "SIN({0})",
        Function::Sqrt => "SQRT({0})",
        Function::Tan => "TAN({0})",
        Function::Trunc => "TRUNC({0})",
        Function::TruncTo => "(TRUNC({0} * POWER(10, {1})) / POWER(10, {1}))",

        Function::Greatest => "GREATEST({*})",
        Function::Least => "LEAST({*})",
        Function::Nullif => "NULLIF({0}, {1})",

        Function::ListExtract => "LIST_EXTRACT({0}, {1})",
        Function::Dayname => "DAYNAME({0})",
        Function::ToTimestamp => "TO_TIMESTAMP({0})",
        Function::ToSeconds => "TO_SECONDS({0})",
        Function::DatePart => "DATE_PART({0}, {1})",
    }
}
