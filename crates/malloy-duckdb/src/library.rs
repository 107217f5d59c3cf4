//! Loads DuckDB's shared library when the first database is opened.
//!
//! The crate `duckdb` is built as for an extension of DuckDB: it links nothing and calls through a table of
//! functions that somebody fills. DuckDB itself fills it for an extension; [`load`] fills it from the shared
//! library. So a program that never queries never maps the 70 MB, and starts without them
//! (docs/decisions/duckdb.md).
//!
//! This is the only unsafe code of the crate. It rests on one thing: the library is of the version whose
//! header the table's types were made from, which is checked before anything else is called.
#![expect(
    unsafe_code,
    reason = "functions of a library that is loaded while running have no other type"
)]

use std::{
    env,
    ffi::{CStr, c_char, c_void},
    path::{Path, PathBuf},
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicPtr, Ordering},
    },
};

use libduckdb_sys as ffi;
use libloading::Library;

/// The version of DuckDB that the table below fits.
const VERSION: &str = "v1.5.5";
/// Where the build script found the library; empty when it did not.
const BUILT_WITH: &str = env!("MALLOY_DUCKDB_LIBRARY");

/// Makes sure that DuckDB can be called; the first call loads it.
pub(crate) fn load() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(|| open(&find()?)).clone()
}

/// The library to load: named by a person, beside the program, where the build found it.
fn find() -> Result<PathBuf, String> {
    let named = env::var_os("DUCKDB_LIB_DIR").map(PathBuf::from);
    let program = env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let directories =
        [named, beside.map(Path::to_owned), beside.map(|directory| directory.join("../lib"))];
    let name = libloading::library_filename("duckdb");
    let mut places: Vec<PathBuf> =
        directories.into_iter().flatten().map(|directory| directory.join(&name)).collect();
    places.extend((!BUILT_WITH.is_empty()).then(|| PathBuf::from(BUILT_WITH)));
    places.into_iter().find(|place| place.is_file()).ok_or_else(|| {
        let name = name.to_string_lossy();
        format!("no {name} in `DUCKDB_LIB_DIR`, beside the program, or where it was built")
    })
}

fn open(path: &Path) -> Result<(), String> {
    // SAFETY: loading runs the library's initialisers; it is DuckDB's, which only sets up statics.
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    // It stays for as long as the process: connections may be anywhere.
    let library: &'static Library = Box::leak(Box::new(library));
    check_version(library)?;
    let table: &'static ffi::duckdb_ext_api_v1 = Box::leak(Box::new(table(library)));
    TABLE.store(ptr::from_ref(table).cast_mut(), Ordering::Release);
    let access = ffi::duckdb_extension_access {
        set_error: None,
        get_database: None,
        get_api: Some(give_table),
    };
    // SAFETY: `access` is alive for the call, and `give_table` answers with a table that is never freed.
    match unsafe { ffi::duckdb_rs_extension_api_init(ptr::null_mut(), &raw const access, VERSION) }
    {
        Ok(true) => Ok(()),
        Ok(false) => Err("its table of functions is empty".to_owned()),
        Err(why) => Err(why.to_owned()),
    }
}

static TABLE: AtomicPtr<ffi::duckdb_ext_api_v1> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" fn give_table(_: ffi::duckdb_extension_info, _: *const c_char) -> *const c_void {
    TABLE.load(Ordering::Acquire).cast()
}

fn check_version(library: &Library) -> Result<(), String> {
    type Version = unsafe extern "C" fn() -> *const c_char;
    // SAFETY: every DuckDB since 0.2 has this function with this type.
    let version = unsafe { library.get::<Version>(b"duckdb_library_version\0") };
    let version = version.map_err(|error| error.to_string())?;
    // SAFETY: it takes nothing and gives a static string that ends in a zero.
    let version = unsafe { CStr::from_ptr(version()) }.to_string_lossy();
    if version == VERSION {
        return Ok(());
    }
    Err(format!("it is DuckDB {version}, and this program was built for {VERSION}"))
}

/// Looks up by name; what this version of the library lacks stays empty, and calling it panics with its name.
macro_rules! table {
    ($library:expr, $($name:ident)*) => {{
        // SAFETY: a structure of optional function pointers, for which zero is `None`.
        let mut table: ffi::duckdb_ext_api_v1 = unsafe { std::mem::zeroed() };
        $(
            // SAFETY: the name fixes the type, by the header of the version that was checked.
            table.$name = unsafe { $library.get(concat!(stringify!($name), "\0").as_bytes()) }
                .ok()
                .and_then(|symbol| *symbol);
        )*
        table
    }};
}

/// What the crate `duckdb` calls.
#[rustfmt::skip]
fn table(library: &Library) -> ffi::duckdb_ext_api_v1 {
    table! { library,
        duckdb_add_scalar_function_to_set duckdb_append_blob duckdb_append_bool
        duckdb_append_data_chunk duckdb_append_date duckdb_append_double duckdb_append_float
        duckdb_append_hugeint duckdb_append_int16 duckdb_append_int32 duckdb_append_int64
        duckdb_append_int8 duckdb_append_interval duckdb_append_null duckdb_append_time
        duckdb_append_timestamp duckdb_append_uhugeint duckdb_append_uint16 duckdb_append_uint32
        duckdb_append_uint64 duckdb_append_uint8 duckdb_append_value duckdb_append_varchar_length
        duckdb_appender_add_column duckdb_appender_clear_columns duckdb_appender_create
        duckdb_appender_create_ext duckdb_appender_destroy duckdb_appender_end_row
        duckdb_appender_error duckdb_appender_error_data duckdb_appender_flush
        duckdb_array_type_array_size duckdb_array_type_child_type duckdb_array_vector_get_child
        duckdb_bind_add_result_column duckdb_bind_blob duckdb_bind_boolean duckdb_bind_date
        duckdb_bind_decimal duckdb_bind_double duckdb_bind_float duckdb_bind_get_extra_info
        duckdb_bind_get_named_parameter duckdb_bind_get_parameter duckdb_bind_get_parameter_count
        duckdb_bind_hugeint duckdb_bind_int16 duckdb_bind_int32 duckdb_bind_int64 duckdb_bind_int8
        duckdb_bind_interval duckdb_bind_null duckdb_bind_set_bind_data
        duckdb_bind_set_cardinality duckdb_bind_set_error duckdb_bind_time duckdb_bind_timestamp
        duckdb_bind_uhugeint duckdb_bind_uint16 duckdb_bind_uint32 duckdb_bind_uint64
        duckdb_bind_uint8 duckdb_bind_varchar_length duckdb_clear_bindings duckdb_close
        duckdb_column_count duckdb_column_logical_type duckdb_column_name duckdb_connect
        duckdb_create_array_type duckdb_create_bool duckdb_create_config duckdb_create_data_chunk
        duckdb_create_decimal duckdb_create_decimal_type duckdb_create_double
        duckdb_create_error_data duckdb_create_float duckdb_create_int16 duckdb_create_int32
        duckdb_create_int64 duckdb_create_int8 duckdb_create_list_type duckdb_create_list_value
        duckdb_create_logical_type duckdb_create_map_type duckdb_create_null_value
        duckdb_create_scalar_function duckdb_create_scalar_function_set duckdb_create_struct_type
        duckdb_create_table_function duckdb_create_uint16 duckdb_create_uint32
        duckdb_create_uint64 duckdb_create_uint8 duckdb_create_union_type duckdb_create_varchar
        duckdb_data_chunk_get_column_count duckdb_data_chunk_get_size duckdb_data_chunk_get_vector
        duckdb_data_chunk_set_size duckdb_data_chunk_to_arrow duckdb_decimal_scale
        duckdb_decimal_width duckdb_destroy_arrow_options duckdb_destroy_config
        duckdb_destroy_data_chunk duckdb_destroy_error_data duckdb_destroy_extracted
        duckdb_destroy_logical_type duckdb_destroy_prepare duckdb_destroy_result
        duckdb_destroy_scalar_function duckdb_destroy_scalar_function_set
        duckdb_destroy_table_function duckdb_destroy_value duckdb_disconnect
        duckdb_error_data_error_type duckdb_error_data_has_error duckdb_error_data_message
        duckdb_execute_prepared duckdb_execute_prepared_streaming duckdb_extract_statements
        duckdb_extract_statements_error duckdb_fetch_chunk duckdb_free
        duckdb_function_get_bind_data duckdb_function_get_extra_info duckdb_function_get_init_data
        duckdb_function_get_local_init_data duckdb_function_set_error duckdb_geometry_type_get_crs
        duckdb_get_list_child duckdb_get_list_size duckdb_get_map_key duckdb_get_map_size
        duckdb_get_map_value duckdb_get_profiling_info duckdb_get_type_id duckdb_get_value_type
        duckdb_get_varchar duckdb_init_get_bind_data duckdb_init_get_column_count
        duckdb_init_get_column_index duckdb_init_get_extra_info duckdb_init_set_error
        duckdb_init_set_init_data duckdb_init_set_max_threads duckdb_interrupt
        duckdb_is_null_value duckdb_list_type_child_type duckdb_list_vector_get_child
        duckdb_list_vector_get_size duckdb_list_vector_reserve duckdb_list_vector_set_size
        duckdb_logical_type_get_alias duckdb_logical_type_set_alias duckdb_map_type_key_type
        duckdb_map_type_value_type duckdb_nparams duckdb_open duckdb_open_ext
        duckdb_parameter_name duckdb_prepare_error duckdb_prepare_extracted_statement
        duckdb_prepared_statement_column_count duckdb_prepared_statement_column_logical_type
        duckdb_prepared_statement_type duckdb_profiling_info_get_child
        duckdb_profiling_info_get_child_count duckdb_profiling_info_get_metrics duckdb_query
        duckdb_register_scalar_function_set duckdb_register_table_function duckdb_result_error
        duckdb_result_get_arrow_options duckdb_row_count duckdb_rows_changed
        duckdb_scalar_function_add_parameter duckdb_scalar_function_get_extra_info
        duckdb_scalar_function_set_error duckdb_scalar_function_set_extra_info
        duckdb_scalar_function_set_function duckdb_scalar_function_set_name
        duckdb_scalar_function_set_return_type duckdb_scalar_function_set_varargs
        duckdb_scalar_function_set_volatile duckdb_set_config duckdb_string_t_data
        duckdb_string_t_length duckdb_struct_type_child_count duckdb_struct_type_child_name
        duckdb_struct_type_child_type duckdb_struct_vector_get_child
        duckdb_table_function_add_named_parameter duckdb_table_function_add_parameter
        duckdb_table_function_set_bind duckdb_table_function_set_extra_info
        duckdb_table_function_set_function duckdb_table_function_set_init
        duckdb_table_function_set_local_init duckdb_table_function_set_name
        duckdb_table_function_supports_projection_pushdown duckdb_to_arrow_schema
        duckdb_union_type_member_count duckdb_union_type_member_name duckdb_union_type_member_type
        duckdb_validity_row_is_valid duckdb_validity_set_row_invalid
        duckdb_vector_assign_string_element duckdb_vector_assign_string_element_len
        duckdb_vector_ensure_validity_writable duckdb_vector_get_column_type
        duckdb_vector_get_data duckdb_vector_get_validity duckdb_vector_size
    }
}
